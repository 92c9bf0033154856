"""Viterbi's table at one word: where each tag's best path came from, and what was barred."""

from functools import partial
from typing import Any

from mlm_core.finetuning.decoding_comparison import WordDecoding
from mlm_core.number_format import formatted
from mlm_core.tagging.decoding import StepEntry, viterbi_step
from pages.kit.part import Part, Table, Text
from pages.lessons.bio_tagging.setting import in_table

WORD = "viterbi_word"


def show_viterbi(p: Part, words: tuple[str, ...], decoding: WordDecoding) -> None:
    """Let the learner go through the words; show each tag's best path up to there."""
    p.say("word_by_word")
    n, tags = len(words), decoding.transitions.tags
    with p.row():
        word = p.position(WORD, words, default=_first_fault(decoding))
        for name, to, arrow in (("before", word - 1, "back"), ("after", word + 1, "forward")):
            settings: dict[str, Any] = {"icon": f"arrow_{arrow}", "disabled": not 0 <= to < n}
            p.button(f"word_{name}", p.choose, WORD, str(to), **settings)
    entries = viterbi_step(decoding.log_probabilities, decoding.viterbi, decoding.transitions, word)
    columns = [p.plain(f"viterbi_{name}") for name in ("tag", "here", "from", "before", "best")]
    left, right = p.columns(3, 2, gap="large")
    with left:
        Table([_row(p, entry, is_first=word == 0) for entry in entries], columns).show()
        p.numbers("viterbi", partial(_whole_table, words, decoding), n=n, tags=len(tags))
    here = next(entry for entry in entries if entry.is_on_path)
    with right:
        p.say("step_first" if word == 0 else "step", word=words[word], **vars(here))
    # The path's own tag if it had to give way, or else the likeliest that had to.
    excluded = max(
        (entry for entry in entries if entry.excluded and entry.came_from),
        key=lambda entry: (entry.is_on_path, entry.best),
        default=None,
    )
    if excluded is not None:
        with right:
            p.say("barred", **vars(excluded))


def word_shown(p: Part, decoding: WordDecoding) -> int:
    """Return the word that the table is about, also for what is drawn before the table.

    A number that a longer sentence left behind is dropped.
    """
    names = [str(i) for i in range(len(decoding.greedy_tags))]
    for asked in (p.state.get(WORD), p.in_link(WORD)):
        if asked in names:
            return int(asked)
    if not p.is_fixed(WORD):
        p.reset(WORD)
    return _first_fault(decoding)


def _first_fault(decoding: WordDecoding) -> int:
    """Return the first word at which greedy breaks a rule, or the first of all."""
    return next((fault.position for fault in decoding.faults), 0)


def _row(p: Part, entry: StepEntry, *, is_first: bool) -> list[str]:
    """Return a tag's line: its best path up to this word, if any path is legal."""
    is_legal = entry.best > -float("inf")
    came_from = p.plain("viterbi_start") if is_first else in_table(entry.came_from or "")
    return [
        in_table(entry.tag, is_chosen=entry.is_on_path),
        _nats(entry.log_probability),
        came_from if is_legal else p.plain("viterbi_barred"),
        _nats(entry.best_before) if is_legal else "",
        _nats(entry.best),
    ]


def _nats(value: float) -> str:
    return "−∞" if value == -float("inf") else formatted(value, "z.3f")


def _whole_table(words: tuple[str, ...], decoding: WordDecoding) -> list[dict[str, object]]:
    """Return best and came_from of every word and tag."""
    tags, found = decoding.transitions.tags, decoding.viterbi
    rows = zip(words, found.best.tolist(), found.came_from.tolist(), strict=True)
    best_up_to, came = ([Text(f"{name} {tag}") for tag in tags] for name in ("best", "from"))
    return [
        {"word": word}
        | dict(zip(best_up_to, best, strict=True))
        | dict(zip(came, [tags[s] if s >= 0 else "" for s in came_from], strict=True))
        for word, best, came_from in rows
    ]
