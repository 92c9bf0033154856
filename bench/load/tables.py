"""What a class met, as tables, and whether that is what is required of a server.

Read before this: visit.py
"""

import statistics
from dataclasses import dataclass

from bench.load.scenario import Scenario
from bench.load.visit import Visit
from pages.server.course.lessons import LESSONS


@dataclass(frozen=True, kw_only=True)
class ServerFigures:
    """The server's memory in MB, of several processes the largest's, and its health. 0: unknown."""

    before: int = 0  # when the server is ready for a class and one visitor has left
    highest: int = 0
    left: int = 0  # some time after all have gone
    slowest_health_ms: float = 0.0  # of the health check, while the class works


def quantile(values: list[float], share: float) -> float:
    """Return the value that this share of all values lies below; nan of none."""
    if len(values) < 2:
        return values[0] if values else float("nan")
    return statistics.quantiles(values, n=100, method="inclusive")[round(100 * share) - 1]


def lesson_table(visits: list[Visit]) -> str:
    """Return what those met who walked, a line for each lesson, with its slowest widget."""
    walks = [visit.walk for visit in visits if visit.walk is not None]
    lines = [
        f"{'lesson':<20}{'learners':>9}{'parts':>7}{'open p95':>10}"
        f"{'changes':>9}{'p50':>7}{'p95':>7}{'max':>7}  ms, of"
    ]
    for slug in [lesson.slug for lesson in LESSONS] if walks else []:
        opened = [ms for walk in walks for page, ms in walk.opened_ms if page == slug]
        changes = sorted((ms, key) for w in walks for page, key, ms in w.changes_ms if page == slug)
        times = [ms for ms, _ in changes]
        worst, key = changes[-1] if changes else (float("nan"), "")
        lines.append(
            f"{slug:<20}{sum(slug in walk.lessons for walk in walks):>9}"
            f"{len({part for walk in walks for page, part in walk.parts if page == slug}):>7}"
            f"{quantile(opened, 0.95):>10.0f}{len(times):>9}{quantile(times, 0.5):>7.0f}"
            f"{quantile(times, 0.95):>7.0f}{worst:>7.0f}  {key}"
        )
    return "\n".join(lines)


def table(visits: list[Visit], server: ServerFigures) -> str:
    """Return what the class met, a line for each page and one for all."""
    lines = [
        f"{'page':<20}{'sessions':>9}{'reruns':>8}{'errors':>7}{'dropped':>8}{'lost':>6}"
        f"{'stalled':>8}"
        f"{'open p95':>10}{'changes':>8}{'p50':>7}{'p95':>7}{'max':>7}  ms"
    ]
    pages = sorted({visit.name for visit in visits})
    for page in [*pages, ""] if len(pages) > 1 else pages:
        some = [visit for visit in visits if page in ("", visit.name)]
        times = [ms for visit in some for ms in visit.changes_ms]
        lines.append(
            f"{page or 'all':<20}{len(some):>9}{sum(v.session.n_reruns for v in some):>8}"
            f"{sum(len(v.session.errors) + len(v.troubles) for v in some):>7}"
            f"{sum(v.session.is_dropped for v in some):>8}"
            f"{sum(v.n_lost for v in some):>6}{sum(not v.has_progressed for v in some):>8}"
            f"{quantile([v.opened_ms for v in some], 0.95):>10.0f}{len(times):>8}"
            f"{quantile(times, 0.5):>7.0f}{quantile(times, 0.95):>7.0f}"
            f"{max(times, default=float('nan')):>7.0f}"
        )
    lines.append(f"server memory at its highest: {server.highest} MB")
    lines.append(f"slowest health check: {server.slowest_health_ms:.0f} ms")
    if server.left:
        lines.append(f"before: {server.before} MB; when all had gone: {server.left} MB")
    return "\n".join(lines)


def requirements(
    scenario: Scenario, visits: list[Visit], server: ServerFigures
) -> list[tuple[str, bool]]:
    """Return each requirement as a sentence, and whether it is met."""
    times = [ms for visit in visits for ms in visit.changes_ms]
    n_dropped = sum(visit.session.is_dropped for visit in visits)
    n_errors = sum(len(v.session.errors) + len(v.troubles) for v in visits)
    n_lost = sum(visit.n_lost for visit in visits)
    n_stalled = sum(not visit.has_progressed for visit in visits)
    found = [
        (f"no error ({n_errors})", n_errors == 0),
        (f"no dropped session ({n_dropped})", n_dropped == 0),
        (f"no lost rerun ({n_lost})", n_lost == 0),
        (f"every run progresses ({n_stalled} do not)", n_stalled == 0),
    ]
    if (most := scenario.most_p95_ms) is not None:
        p95 = quantile(times, 0.95)
        found.append((f"p95 of a change at most {most:.0f} ms ({p95:.0f})", p95 <= most))
    if (most := scenario.most_memory_mb) is not None and server.highest:
        is_met = server.highest <= most
        found.append((f"server memory at most {most} MB ({server.highest})", is_met))
    if (share := scenario.most_left_share) is not None and server.left:
        most = share * server.before
        said = f"{scenario.after_seconds:.0f} s after all have gone at most {most:.0f} MB"
        found.append((f"{said} ({server.left})", server.left <= most))
    walks = [visit.walk for visit in visits if visit.walk is not None]
    if walks and scenario.seconds_a_lesson is None:
        n_missed = sum(len(set(walk.lessons)) < len(LESSONS) for walk in walks)
        found.append((f"everybody walks through all lessons ({n_missed} do not)", n_missed == 0))
    return found
