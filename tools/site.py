"""A static site of what is there, for readers and for search engines: `make site`.

    make site APP=https://our.example SITE=https://our-pages.example

    pages/lessons/<slug>/<language>/*.md, the stored pictures  ->  a page a lesson and language
    README.md, docs/*.md                                       ->  the first page, and the rest
    pocket/                                                    ->  the pocket edition, beside it

In dist/site is then one site in English, in dist/site/de one in German, for any host of static
files. APP is the course that it links to, SITE its own address, for the canonical addresses and
sitemap.txt; both may be left out. Sphinx makes the pages (docs/decisions/0018), MyST reads the
Markdown. Links to files that the site doesn't have become plain text.
"""

import argparse
import html
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlm_core.figures.classroom.pictures import lesson_picture
from mlm_core.stored.pictures import read_pictures
from pages.beside.home.course_map import NAMED_BARS
from pages.server.course.lessons import LESSONS, Lesson
from pages.server.course.words import read_words
from pocket.build import build

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
TO = ROOT / "dist" / "site"
FOLDERS = {"en": "", "de": "de"}  # in the site, by language
# Of docs/, by language: what readers and teachers look for, not how the app is built.
DOCS = {
    "en": (
        *("guide", "teaching", "before_class", "pocket", "lessons", "terms", "errata"),
        *("references", "model_card", "model_card_de_en", "privacy", "accessibility"),
        "a_lesson_of_your_own",
    ),
    "de": ("before_class.de", "errata.de", "privacy.de"),
}
# A term's link, which the app explains in place.
TERM = re.compile(r"\[([^\]]+)\]\(look_it_up\?[^)]*\)")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)")
OUTSIDE = ("http://", "https://", "mailto:")
CONFIG = """\
project = {project!r}
copyright = {copyright!r}
language = {language!r}
html_title = project
html_baseurl = {address!r}
html_theme = "furo"
html_favicon = "logo.svg"
html_extra_path = ["extra"]
html_show_sourcelink = False
html_copy_source = False
extensions = ["myst_parser", "tools.site"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
html_use_index = False
html_math_renderer = "mathml"

"""


def write_source(to: Path, language: str, *, app: str = "", site: str = "") -> None:
    """Write what Sphinx reads for the site of a language."""
    shutil.rmtree(to, ignore_errors=True)
    (to / "docs").mkdir(parents=True)
    (to / "lessons").mkdir()
    shutil.copytree(ROOT / "docs" / "pictures", to / "extra" / "pictures")
    shutil.copytree(ROOT / "docs" / "pictures", to / "docs" / "pictures")
    shutil.copy(ROOT / "pages/server/frame/logo.svg", to)
    for lesson in LESSONS:
        page = lesson_page(lesson, language, app)
        (to / "lessons" / f"{lesson.slug}.md").write_text(page, encoding="utf-8")
    for name in DOCS[language]:
        text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
        (to / "docs" / f"{name}.md").write_text(with_links(text, DOCS[language]), encoding="utf-8")
    (to / "index.md").write_text(first_page(language, app), encoding="utf-8")
    words = read_words("site", language)
    config = CONFIG.format(
        project=words.plain("title"),
        copyright=words.plain("licence"),
        language=language,
        address=f"{site}/{FOLDERS[language]}".rstrip("/") + "/" if site else "",
    )
    (to / "conf.py").write_text(config, encoding="utf-8")


def lesson_page(lesson: Lesson, language: str, app: str) -> str:
    """Return the Markdown of a lesson: its question, picture, goals, parts and open questions."""
    words, site = read_words(lesson.slug, language), read_words("site", language)
    overview = read_words(f"overview/{lesson.slug}", language)
    parts = [one for one in lesson.parts if one not in ("in_short", "exercises")]
    blocks = [
        described(f"{words.label('question')} {site.label('title')}"),
        f"# {lesson.number} · {words.label('title')}",
        f"**{words.label('question')}**",
        words.section("lead"),
        picture_of(lesson.slug, language),
        overview.section("goals"),
        f"## {site.label('parts')}",
        "\n".join(f"- {words.label(f'part_{name}')}" for name in parts),
        f"[{site.label('open')}]({app}/{lesson.slug}?lang={language})" if app else "",
        f"## {site.label('think')}",
    ]
    for number in range(1, 4):
        asked, answer = (overview.section(f"{one}_{number}") for one in ("question", "answer"))
        blocks += [f"**{asked}**", answer]
    return TERM.sub(r"\1", "\n\n".join(block for block in blocks if block)) + "\n"


def picture_of(slug: str, language: str) -> str:
    """Return a lesson's stored picture as it is on the course map; "" for a lesson without."""
    numbers, words = read_pictures(language).get(slug), read_words("home", language)
    if numbers is None:
        return ""
    if slug in NAMED_BARS:
        numbers = {**numbers, "names": words.plain(f"picture_{slug}_bars").split(", ")}
    drawn = lesson_picture(slug, numbers, alt=words.plain(f"picture_{slug}"))
    one_line = drawn.replace("\n", " ")
    return f'<div style="max-width: 30rem; fill: currentColor">{one_line}</div>'


def first_page(language: str, app: str) -> str:
    """Return the Markdown of the first page: what it is, the film, and all pages by name."""
    words = read_words("site", language)
    other = next(one for one in FOLDERS if one != language)
    to_other = f"{FOLDERS[other]}/index.html" if FOLDERS[other] else "../index.html"
    # As HTML, since Sphinx doesn't know of these files.
    ways = [link_to("pocket.html", words.label("pocket"))]
    ways += [link_to(f"{app}/?lang={language}", words.label("course"))] if app else []
    ways += [link_to(to_other, read_words("site", other).label("here"))]
    still = '<source media="(prefers-reduced-motion: reduce)" srcset="pictures/social.png">'
    film = f'<img src="pictures/film.webp" width="1000" alt="{html.escape(words.plain("film"))}">'
    blocks = [
        described(words.plain("description")),
        f"# {words.label('title')}",
        words.section("lead"),
        f"<p>{' · '.join(ways)}</p>",
        f"<picture>{still}{film}</picture>",
        listed(words.plain("lessons"), [f"lessons/{lesson.slug}" for lesson in LESSONS]),
        listed(words.plain("docs"), [f"docs/{name}" for name in DOCS[language]]),
    ]
    return "\n\n".join(blocks) + "\n"


def link_to(address: str, shown: str) -> str:
    """Return a link as HTML."""
    return f'<a href="{html.escape(address)}">{shown}</a>'


def listed(caption: str, names: list[str]) -> str:
    """Return a list of pages, which is also in the menu."""
    return "\n".join(["```{toctree}", f":caption: {caption}", ":maxdepth: 1", "", *names, "```"])


def described(text: str) -> str:
    """Return a page's head with what a search engine shows of it."""
    said = text.replace("\\", "").replace('"', "”")
    return f'---\nmyst:\n  html_meta:\n    description: "{said}"\n---'


def with_links(text: str, names: Collection[str]) -> str:
    """Return a text of docs/ without links to what the site doesn't have.

    >>> with_links("[a](guide.md#b), [c](../mlm_core/d.py), [e](https://f.org)", ["guide"])
    '[a](guide.md#b), c, [e](https://f.org)'
    """

    def kept(match: re.Match[str]) -> str:
        is_picture, shown, target, _ = match.groups()
        if not target or target.startswith(OUTSIDE) or target.removesuffix(".md") in names:
            return match[0]
        return match[0] if is_picture and target.startswith("pictures/") else shown

    return LINK.sub(kept, text)


def make_site(to: Path, *, app: str = "", site: str = "", pocket: bool = True) -> None:
    """Write the whole site, with the pocket edition unless that is left out."""
    shutil.rmtree(to, ignore_errors=True)
    for language, folder in FOLDERS.items():
        source = to.parent / f"{to.name}-source" / language
        write_source(source, language, app=app, site=site)
        if pocket:
            build(source / "extra" / "pocket.html", language=language, app=app)
        made = to / folder
        subprocess.run(
            [
                *(sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"),
                source,
                made,
            ],
            check=True,
        )
        for left in (".doctrees", ".buildinfo", "objects.inv", "_sources"):
            one = made / left
            shutil.rmtree(one) if one.is_dir() else one.unlink(missing_ok=True)
    if site:
        pages = sorted(str(page.relative_to(to)) for page in to.rglob("*.html"))
        (to / "sitemap.txt").write_text("".join(f"{site}/{page}\n" for page in pages))


def setup(app: "Sphinx") -> None:
    """Have Sphinx write formulas as MathML: a reader's browser asks no other host for a script."""
    from docutils.nodes import SkipNode
    from latex2mathml.converter import convert

    def written_as(display: str) -> Callable:
        def visit(writer: Any, node: Any) -> None:
            writer.body.append(convert(node.astext(), display=display))
            raise SkipNode

        return visit

    written = ((written_as(display), None) for display in ("inline", "block"))
    app.add_html_math_renderer("mathml", *written)


def main() -> None:
    """Read the addresses from the command line and write the site."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--app", default="", help="the address of the course to link to")
    parser.add_argument("--site", default="", help="the address that the site will have")
    given = parser.parse_args()
    make_site(TO, app=given.app.rstrip("/"), site=given.site.rstrip("/"))
    print(f"{TO} is ready: put its files on any host of static files")


if __name__ == "__main__":
    main()
