"""The course record to read: a short list for the page, the whole of it as Markdown to save."""

from collections.abc import Iterator

from mlm_core.evaluation.learning_gain import SITTINGS, WHEN
from mlm_core.exercises.by_lesson import exercises_of
from pages.server.course.concept_items import ITEMS, ORDERS, form_at
from pages.server.course.lessons import BY_SLUG, CONCEPT_TEST
from pages.server.course.words import Words, read_words
from pages.server.record import evidence_card
from pages.server.record.learners_record import ExerciseDone, LearnersRecord, LessonDone
from pages.server.record.lesson_record import plain, quoted


def as_list(record: LearnersRecord, words: Words) -> str:
    """Return one line of Markdown for each lesson in which something was done, and the test."""
    lines = [
        f"- **{_title(slug)}**: {_counts(slug, done, words)}"
        for slug, done in record.lessons.items()
    ]
    if record.concepts or record.begun:
        lines.append(f"- **{_title(CONCEPT_TEST.slug)}**: {_answered(record, words)}")
    return "\n".join(lines)


def as_markdown(record: LearnersRecord, words: Words) -> str:
    """Return the whole record; no mark of an answer in it opens markup."""
    blocks = [f"# {words.plain('title')}"]
    if record.saved:
        blocks.append(f"*{words.plain('saved', saved=record.saved)}*")
    for slug, done in record.lessons.items():
        blocks += [f"## {_title(slug)}", f"{_counts(slug, done, words)}."]
        if done.opened:
            titles = [plain(read_words(slug).plain(f"part_{part}")) for part in done.opened]
            blocks.append(f"{words.plain('parts_opened')}: {', '.join(titles)}")
        if done.exercises:
            blocks.append(_table(slug, done, words))
        if done.explained:
            blocks += [f"### {words.plain('explanation')}", quoted(done.explained)]
        if done.card is not None:
            card = evidence_card.as_markdown(done.card, read_words("evidence_card"))
            blocks += [f"### {words.plain('card')}", card]
    if record.concepts or record.begun:
        blocks += [
            f"## {_title(CONCEPT_TEST.slug)}",
            f"{_answered(record, words)}.",
            *_given(record),
        ]
    return "\n\n".join(blocks) + "\n"


def _answered(record: LearnersRecord, words: Words) -> str:
    before, after = (sum(map(bool, record.concepts.get(when, {}).values())) for when in WHEN)
    said = words.plain("concepts", before=before, after=after)
    n_begun = sum(map(len, record.begun.values()))
    return said + (words.plain("concepts_begun", n=n_begun) if n_begun else "")


def _given(record: LearnersRecord) -> Iterator[str]:
    """Give the questions of the concept test with the answers, and not which are right."""
    words, columns = read_words(CONCEPT_TEST.slug), read_words("columns")
    order = (record.study.order if record.study else "") or ORDERS[0]
    for name, item in ITEMS.items():
        for when in SITTINGS:
            given = record.concepts.get(when, {}).get(name)
            if given is not None:
                form = item.asked_in(form_at(when, order))
                said = words.plain(f"{form}_{given}" if given else "no_answer")
                yield f"**{plain(words.plain(form))}**\n- {columns.plain(when)}: {plain(said)}"


def _title(slug: str) -> str:
    return plain(read_words(slug).plain("title"))


def _counts(slug: str, done: LessonDone, words: Words) -> str:
    said = words.plain(
        "progress",
        opened=len(done.opened),
        parts=len(BY_SLUG[slug].parts),
        solved=done.count("solved"),
        exercises=len(exercises_of(slug)),
    )
    for outcome in ("shown", "tried"):
        if done.count(outcome):
            said += words.plain(f"also_{outcome}", n=done.count(outcome))
    if done.seed is not None:
        said += words.plain("also_seed", seed=done.seed)
    return said


def _table(slug: str, done: LessonDone, words: Words) -> str:
    columns = ("exercise", "outcome", "tries", "hints", "answer", "seed", "model")
    lines = [[words.plain(f"column_{name}") for name in columns], ["---"] * len(columns)]
    for exercise in exercises_of(slug):
        if exercise.id in done.exercises:
            one = done.exercises[exercise.id]
            entries = (
                read_words(f"exercises/{slug}").plain(exercise.id),
                words.plain(f"outcome_{one.outcome}"),
                one.tries,
                one.hints,
                _answer(slug, exercise.id, exercise.kind, one, words),
                one.seed,
                one.model,
            )
            lines.append([plain(entry) for entry in entries])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _answer(slug: str, name: str, kind: str, done: ExerciseDone, words: Words) -> str:
    """Return an answer as a reader knows it, with the sentence that it was about."""
    said = done.answer
    if kind == "choice" and said:
        try:
            said = read_words(f"exercises/{slug}").plain(f"{name}_{said}")
        except KeyError:
            pass  # an option that this course no longer has, as the file names it
    said = said.replace("\n", " / ")
    return f"{said} ({words.plain('about_text', text=done.text)})" if done.text else said
