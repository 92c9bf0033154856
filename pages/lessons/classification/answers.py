"""Answers in a passage: two distributions over its words, start and end, and the best stretch."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlm_core.answers.spans import LONGEST_ANSWER, exact_match
from mlm_core.answers.words import (
    PassageWord,
    RankedAnswer,
    overlap,
    passage_words,
    ranked_answers,
)
from mlm_core.figures.finetuning.answer_spans import AnswerNames, answer_html, bar_scale
from mlm_core.figures.theme import significant
from mlm_core.finetuning.fine_tuned import FineTuned
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.number_format import formatted, in_formula
from mlm_core.text.tokens import TokenizedText
from mlm_core.text.words import find_whole
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, Table, part, titled
from pages.kit.training import finetune_runs
from pages.lessons.classification.answers_figures import show_figures

N_RANKED = 5
LONGEST_PASSAGE = 1_500  # characters; more than twice what the bundled model's window holds
TITLE_LETTERS = 60  # of a passage, in the list


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question, its passage, and the right answer if it is known."""

    question: str
    passage: str
    right: tuple[int, int] | None = None  # first character in the passage, and one past the last

    @property
    def right_text(self) -> str:
        """Return the right answer's text; empty if it isn't known."""
        return self.passage[slice(*self.right)] if self.right else ""


@part(code=("answers.spans:best_spans", "answers.spans:overlap_f1"))
def show(p: Part) -> None:
    """Ask one question, then look at all of the test part."""
    p.say("lead")
    with p.row("top"):
        chosen = finetune_runs.choose(p, ("passages",), name="answers_run")
        if chosen is None:
            return
        title, snapshot = chosen
        source = p.choice("answers_source")
    finetune_runs.say_if_english(p)
    asked = _stored(p, snapshot) if source == "stored" else _own(p)
    if asked is not None:
        _show_answer(p, title, snapshot, asked)
    show_figures(p, title, snapshot)


# What is asked: a question and a passage of the test part, or the learner's own.


def _stored(p: Part, snapshot: FineTuneSnapshot) -> Asked:
    """Offer the test part; it opens on a question that this run answers exactly, if any."""
    questions = snapshot.data.test
    said = snapshot.predictions.texts if snapshot.predictions else [""] * len(questions)
    answers = zip(questions, said, strict=True)
    hits = (one for one, answer in answers if exact_match(answer, one.answer))
    first = next(hits, questions[0])
    passages = list(dict.fromkeys(one.passage for one in questions))
    titles = {str(i): _title(passage) for i, passage in enumerate(passages)}
    left, right = p.columns()
    with left:
        chosen = p.choice("answers_passage", titles, start=str(passages.index(first.passage)))
    about = [one for one in questions if one.passage == passages[int(chosen)]]
    # A key for each passage: a question of another one can't be left chosen.
    texts = {str(i): one.question for i, one in enumerate(about)}
    start = str(about.index(first)) if first in about else "0"
    with right:
        one = about[int(p.choice(f"answers_question_{chosen}", texts, start=start))]
    return Asked(question=one.question, passage=one.passage, right=(one.start, one.stop))


def _title(passage: str) -> str:
    if len(passage) <= TITLE_LETTERS:
        return passage
    return passage[:TITLE_LETTERS].rsplit(" ", 1)[0] + " …"


def _own(p: Part) -> Asked | None:
    """Let the learner write; return None, and say why, if something is missing."""
    sample, longest = p.plain("sample_passage"), LONGEST_PASSAGE
    passage = p.area("answers_own_passage", sample, longest=longest, height=130)
    if len(passage) >= longest:
        p.warn("field_cut", icon="content_cut", longest=longest)
    left, right = p.columns(3, 2, gap="small")
    with left:
        question = p.text("answers_own_question")
    with right:
        answer = p.text("answers_own_answer").strip()
    if not passage.strip() or not question.strip():
        p.note("empty", icon="edit")
        return None
    places = find_whole(passage, [answer])
    if answer and not places:
        p.note("not_in_passage", icon="search_off")
    return Asked(question=question, passage=passage, right=places[0] if places else None)


# Its answer, next to the right one, and the likeliest answers with their arithmetic.


def _show_answer(p: Part, title: str, snapshot: FineTuneSnapshot, asked: Asked) -> None:
    """Draw the passage with both distributions, then list the likeliest answers."""
    model = cache_finetuning.model(snapshot)
    try:
        text = model.reading.read_question(asked.question, asked.passage)
    except ValueError as error:
        p.refused(error, mildly="warning")
        return
    _say_what_was_cut(p, model, text, asked)
    log_probabilities = model.answer_log_probabilities(text)
    shown = passage_words(text, log_probabilities)
    ranked = ranked_answers(text, log_probabilities, N_RANKED) if shown else ()
    if not ranked:
        p.note("nothing_read", icon="edit")
        return
    start = max(shown, key=lambda word: word.p_start)
    end = max(shown, key=lambda word: word.p_end)
    about: dict[str, Any] = {"run": title, "model": snapshot.settings.model}
    _draw(p, asked, shown, ranked[0], {"start": start, "end": end}, about)
    _show_score(p, asked, ranked[0].text)
    with p.fold("ranked", "format_list_numbered", n=len(ranked)):
        _show_ranked(p, asked, ranked)
    if end.stop <= start.start:
        p.say("crossed", start=start.text, end=end.text)


def _say_what_was_cut(p: Part, model: FineTuned, text: TokenizedText, asked: Asked) -> None:
    """Say what the window left out, of the passage or of the question."""
    if not text.n_left_out:
        return
    read = max((token.stop for token in text.tokens if token.segment == 1), default=0)
    n_question = sum(token.segment == 0 and token.word is not None for token in text.tokens)
    whole = sum(token.word is not None for token in model.read(asked.question).tokens)
    which = "question_cut" if n_question < whole else "passage_cut"
    p.warn(which, icon="content_cut", n=text.n_left_out, window=model.encoder.max_tokens)
    if asked.right is not None and asked.right[1] > read:
        p.warn("right_cut", icon="visibility_off")


def _draw(
    p: Part,
    asked: Asked,
    shown: Sequence[PassageWord],
    best: RankedAnswer,
    likeliest: dict[str, PassageWord],
    about: dict[str, Any],
) -> None:
    given = (best.start, best.stop)
    names = AnswerNames(**{name: p.plain(name) for name in ("start", "end", "given", "right")})
    table = {
        "word": [word.text for word in shown],
        "pieces": [" ".join(word.subwords) for word in shown],
        "P_start": [word.p_start for word in shown],
        "P_end": [word.p_end for word in shown],
    }
    p.figure(
        "answers_passage_drawing",
        lambda alt: answer_html(
            asked.passage, shown, given=given, right=asked.right, names=names, label=alt
        ),
        table,
        question=asked.question,
        answer=asked.passage[slice(*given)],
        start=likeliest["start"].text,
        p_start=likeliest["start"].p_start,
        end=likeliest["end"].text,
        p_end=likeliest["end"].p_end,
        **about,
    )
    p.caption("how_to_read", scale=bar_scale(shown))


def _show_score(p: Part, asked: Asked, answer: str) -> None:
    """Say the answer; where the right one is known, count both measures out."""
    if not asked.right:
        p.say("said", answer=answer)
        return
    found = overlap(answer, asked.right_text)
    kind = "exact" if found.is_exact else "partly" if found.n_shared else "missed"
    n_given, n_right, shared = found.n_given, found.n_right, found.n_shared
    counts = {"shared": shared, "given": n_given, "wanted": n_right}
    said, formula = p.columns(align="center")
    with said:
        p.say(kind, answer=answer, right=asked.right_text, **counts)
    if n_given and n_right:
        with formula:
            p.formula(
                rf"\text{{{titled('exact_match')}}} = {int(found.is_exact)}, \qquad F_1 ="
                rf" \frac{{2 \cdot {shared}}}{{{n_given} + {n_right}}}"
                rf" = {in_formula(found.f1, '.2f')}"
            )


def _show_ranked(p: Part, asked: Asked, ranked: Sequence[RankedAnswer]) -> None:
    """List the likeliest answers."""
    p.say("ranked", longest=LONGEST_ANSWER)
    columns = ["rank", "answer", "log_start", "log_end", "sum", "p"]
    rows: list[list[object]] = [
        [
            rank,
            one.text,
            significant(one.log_start, 3),
            significant(one.log_end, 3),
            significant(one.log_probability, 3),
            formatted(math.exp(one.log_probability), ".3f"),
        ]
        for rank, one in enumerate(ranked, start=1)
    ]
    if asked.right:
        columns.append("f1")
        for row, one in zip(rows, ranked, strict=True):
            row.append(formatted(overlap(one.text, asked.right_text).f1, ".2f"))
    Table(rows, [p.plain(f"column_{name}") for name in columns]).show()
