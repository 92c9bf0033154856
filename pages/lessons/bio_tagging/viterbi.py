"""Viterbi: tags that break a rule, and the likeliest legal path; on the whole test part, too."""

import time
from collections.abc import Sequence
from functools import partial
from operator import ne
from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.tagging.tag_distribution import TagPath, distribution_svg
from mlm_core.number_format import formatted
from mlm_core.tagging.bio_tags import Span, encode
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, Table, Text, part
from pages.lessons.bio_tagging import setting
from pages.lessons.bio_tagging.setting import in_table
from pages.server.course.core_messages import translated
from pages.server.link import inputs

if TYPE_CHECKING:
    from mlm_core.finetuning.decoding_comparison import DecodingScore, WordDecoding
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.tagging.decoding import StepEntry

FROM, WORD = "bio_tagging_sentence_from", "bio_tagging_viterbi_word"
DECODERS = {"greedy": "greedy", "viterbi": "Viterbi"}
BAR_AFTER = 0.5  # seconds of counting


@part(code=("tagging.decoding:viterbi",))
def show(p: Part) -> None:
    """Decode a sentence both ways, word by word, then every sentence of the test part."""
    from mlm_core.finetuning.decoding_comparison import decode_words

    p.say("lead")
    chosen = setting.choose_tagger(p)
    if chosen is None:
        return
    title, run = chosen
    words, gold = _choose_sentence(p, run)
    if not words:
        p.note("schemes.no_text", icon="edit")
        return
    text, word_of_piece, predicted = cache_finetuning.piece_probabilities(run, words)
    p.say_what_was_left_out(text)
    combination = p.choice("combination")
    if combination != "first" and run.settings.labelling == "first_only":
        p.caption("untrained")
    reading = cache_finetuning.reading_of(run)
    decoding = decode_words(predicted, word_of_piece, reading, combination)
    told = {
        "title": title,
        "model": run.settings.model,
        "combination": p.plain(f"combination_{combination}"),
    }
    _show_decoding(p, run, words[: len(decoding.greedy_tags)], gold, decoding, told)
    box = st.expander(
        p.label("counts"), icon=":material/bar_chart:", key=p.key("counts_box"), on_change="rerun"
    )
    if box.open:
        with box:
            _show_counts(p, run, title)
    p.say("notice")


def _choose_sentence(p: Part, run: "FineTuneSnapshot") -> tuple[tuple[str, ...], tuple[Span, ...]]:
    """Show the choice of a sentence; return its words and its entities."""
    from mlm_core.tagging.transitions import faults_in

    if p.choice("sentence_from") == "own":
        marked = setting.current(p)
        return marked.words, marked.spans
    combination = p.state.get("combination") or "first"

    def breaks_a_rule(number: int) -> bool:
        part_number, place = divmod(number, cache_finetuning.AT_ONCE)
        decoded = cache_finetuning.decoded_part(run, part_number)[place]
        return bool(faults_in(decoded[combination, "greedy"], run.settings.scheme))

    number = setting.pick_test_sentence(p, "test_sentence", run.data.test, breaks_a_rule)
    example = run.data.test[number]
    return example.words, example.spans


def _show_decoding(
    p: Part,
    run: "FineTuneSnapshot",
    words: tuple[str, ...],
    gold: tuple[Span, ...],
    decoding: "WordDecoding",
    told: dict[str, Any],
) -> None:
    """Draw both paths over the words, say where greedy breaks a rule, and compare with gold."""
    spans = tuple(span for span in gold if span.end <= len(words))
    tags = encode(spans, len(words), run.settings.scheme)
    _draw_paths(p, words, tags, decoding, told)
    p.write(_verdict(p, words, decoding))
    if not decoding.faults and st.session_state.get(FROM) == "own":
        p.button("show_broken", inputs.choose, FROM, "test", icon="skip_next")
    paths = {"greedy": decoding.greedy_tags, "viterbi": decoding.viterbi_tags}
    p.say("decoded", **{name: sum(map(ne, path, tags)) for name, path in paths.items()})
    # A click on a column names its word in the link.
    is_open = WORD in st.query_params
    with p.fold("word_by_word", "table_rows", is_open=is_open):
        _show_viterbi(p, words, decoding)


def _draw_paths(
    p: Part,
    words: tuple[str, ...],
    gold: Sequence[str],
    decoding: "WordDecoding",
    told: dict[str, Any],
) -> None:
    tags, rules, path = decoding.transitions.tags, decoding.transitions, decoding.greedy.path
    probabilities = decoding.log_probabilities.exp().tolist()
    # Where the greedy tag may not follow the one before, or start a sentence.
    illegal = {
        i
        for i, tag in enumerate(path)
        if not (rules.may_follow[path[i - 1], tag] if i else rules.may_start[tag])
    }
    p.figure(
        "paths",
        partial(
            distribution_svg,
            probabilities,
            tags,
            words,
            word_of_column=range(len(words)),
            paths=[
                TagPath(name="greedy", tags=path, illegal=illegal),
                TagPath(name="Viterbi", tags=decoding.viterbi.path),
            ],
            chosen=_word_shown(decoding),
            clickable=True,
        ),
        lambda: {
            "word": words,
            "gold": gold,
            "greedy": decoding.greedy_tags,
            "viterbi": decoding.viterbi_tags,
            **dict(zip(map(Text, tags), zip(*probabilities, strict=True), strict=True)),
        },
        on_click=partial(inputs.choose, WORD),
        n=len(words),
        faults=len(decoding.faults),
        **told,
    )


def _verdict(p: Part, words: tuple[str, ...], decoding: "WordDecoding") -> str:
    """Say whether both paths agree, or which rules greedy breaks and what keeping them costs."""
    greedy, viterbi = decoding.greedy.log_probability, decoding.viterbi.log_probability
    sums = {"greedy": greedy, "viterbi": viterbi, "lost": round(greedy, 3) - round(viterbi, 3)}
    if not decoding.faults:
        return p.section("legal", **sums)
    n = len(decoding.faults)
    faults = [
        p.label("fault", word=words[one.position], reason=translated(one.reason))
        for one in decoding.faults
    ]
    broken = p.section("broken_once" if n == 1 else "broken", n=n)
    listed = "\n".join(f"- {line}" for line in faults)
    return "\n\n".join([broken, listed, p.section("mended", **sums)])


# Viterbi's table at one word: where each tag's best path came from, and what was barred.


def _show_viterbi(p: Part, words: tuple[str, ...], decoding: "WordDecoding") -> None:
    """Let the learner go through the words; show each tag's best path up to there."""
    from mlm_core.tagging.decoding import viterbi_step

    p.say("word_by_word")
    n, tags = len(words), decoding.transitions.tags
    with p.row():
        word = p.position("viterbi_word", words, default=_first_fault(decoding))
        for name, to, arrow in (("before", word - 1, "back"), ("after", word + 1, "forward")):
            settings: dict[str, Any] = {"icon": f"arrow_{arrow}", "disabled": not 0 <= to < n}
            p.button(f"word_{name}", inputs.choose, WORD, str(to), **settings)
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
        right.markdown(p.section("barred", **vars(excluded)))


def _word_shown(decoding: "WordDecoding") -> int:
    """Return the word that the table is about, also for what is drawn before the table.

    A number that a longer sentence left behind is dropped.
    """
    names = [str(i) for i in range(len(decoding.greedy_tags))]
    if st.session_state.get(WORD) not in names:
        st.session_state.pop(WORD, None)
    if st.query_params.get(WORD, "0") not in names:
        st.query_params.pop(WORD, None)
    asked = st.session_state.get(WORD) or st.query_params.get(WORD)
    return _first_fault(decoding) if asked is None else int(asked)


def _first_fault(decoding: "WordDecoding") -> int:
    """Return the first word at which greedy breaks a rule, or the first of all."""
    return next((fault.position for fault in decoding.faults), 0)


def _row(p: Part, entry: "StepEntry", *, is_first: bool) -> list[str]:
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


def _whole_table(words: tuple[str, ...], decoding: "WordDecoding") -> list[dict[str, object]]:
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


# The whole test part: how often greedy breaks a rule, and what each way to decode scores.


def _show_counts(p: Part, run: "FineTuneSnapshot", title: str) -> None:
    """Decode every test sentence in six ways and compare."""
    scores, n = _scores(p, run), len(run.data.test)
    by_name = {(score.combination, score.decoder): score for score in scores}
    plain, legal = by_name["first", "greedy"], by_name["first", "viterbi"]
    f1: dict[str, Any] = {"greedy": plain.f1, "viterbi": legal.f1}
    p.figure(
        "counts",
        partial(
            bars_svg,
            [
                f"{p.plain(f'combination_{score.combination}')}, {DECODERS[score.decoder]}"
                for score in scores
            ],
            [score.f1 for score in scores],
            longest=1.0,
        ),
        {
            "pieces": [score.combination for score in scores],
            "decoder": [score.decoder for score in scores],
            "sentences_with_a_broken_rule": [score.n_broken for score in scores],
            "f1_conlleval": [score.f1 for score in scores],
            "f1_strict": [score.strict_f1 for score in scores],
        },
        title=title,
        n=n,
        **f1,
    )
    broken = {
        f"broken_{one.combination}": one.n_broken for one in scores if one.decoder == "greedy"
    }
    p.say("counted", n=n, share=plain.n_broken / n, strict=plain.strict_f1, **f1, **broken)
    verdict = "better" if legal.f1 > plain.f1 else "worse" if legal.f1 < plain.f1 else "alike"
    p.say(verdict)


def _scores(p: Part, run: "FineTuneSnapshot") -> "tuple[DecodingScore, ...]":
    """Return the scores; tell how far it is where that takes longer than a moment."""
    n, begun, bar = cache_finetuning.n_parts(run), time.monotonic(), None
    for number in range(n):
        cache_finetuning.decoded_part(run, number)
        seconds = time.monotonic() - begun
        if seconds < BAR_AFTER:
            continue
        label = p.label("counting", left=round(seconds / (number + 1) * (n - number - 1)))
        bar = st.progress(0.0, label) if bar is None else bar
        bar.progress((number + 1) / n, label)
    scores = cache_finetuning.decoding_scores(run)
    if bar is not None:
        bar.empty()
    return scores
