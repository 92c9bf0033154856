"""Viterbi: tags that break a rule, and the likeliest legal path, on one sentence and on all."""

from collections.abc import Sequence
from functools import partial
from operator import ne
from typing import Any

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.tagging.tag_distribution import TagPath, distribution_svg
from mlm_core.finetuning.decoding_comparison import WordDecoding, decode_words
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.tagging.bio_tags import Span, encode
from mlm_core.tagging.transitions import faults_in
from pages.kit.part import Part, Text, part
from pages.lessons.bio_tagging import computed, setting
from pages.lessons.bio_tagging.marked import current
from pages.lessons.bio_tagging.viterbi_table import WORD, show_viterbi, word_shown

DECODERS = {"greedy": "greedy", "viterbi": "Viterbi"}
BAR_AFTER = 0.5  # seconds of counting


@part(code=("tagging.decoding:viterbi",))
def show(p: Part) -> None:
    """Decode a sentence both ways, word by word, then every sentence of the test part."""
    p.say("lead")
    chosen = setting.choose_tagger(p)
    if chosen is None:
        return
    title, run = chosen
    words, gold = _choose_sentence(p, run)
    if not words:
        p.note("schemes.no_text", icon="edit")
        return
    text, word_of_piece, predicted = computed.piece_probabilities(run, words)
    p.say_what_was_left_out(text)
    combination = p.choice("combination")
    if combination != "first" and run.settings.labelling == "first_only":
        p.caption("untrained")
    reading = computed.reading_of(run)
    decoding = decode_words(predicted, word_of_piece, reading, combination)
    told = {
        "title": title,
        "model": run.settings.model,
        "combination": p.plain(f"combination_{combination}"),
    }
    _show_decoding(p, run, words[: len(decoding.greedy_tags)], gold, decoding, told)
    box = p.box("counts", "bar_chart")
    if box.open:
        with box:
            _show_counts(p, run, title)
    p.say("notice")


def _choose_sentence(p: Part, run: FineTuneSnapshot) -> tuple[tuple[str, ...], tuple[Span, ...]]:
    """Show the choice of a sentence; return its words and its entities."""
    if p.choice("sentence_from") == "own":
        marked = current(p)
        return marked.words, marked.spans
    combination = p.state.get("combination") or "first"

    def breaks_a_rule(number: int) -> bool:
        part_number, place = divmod(number, computed.AT_ONCE)
        decoded = computed.decoded_part(run, part_number)[place]
        return bool(faults_in(decoded[combination, "greedy"], run.settings.scheme))

    number = setting.pick_test_sentence(p, "test_sentence", run.data.test, breaks_a_rule)
    example = run.data.test[number]
    return example.words, example.spans


def _show_decoding(
    p: Part,
    run: FineTuneSnapshot,
    words: tuple[str, ...],
    gold: tuple[Span, ...],
    decoding: WordDecoding,
    told: dict[str, Any],
) -> None:
    """Draw both paths over the words, say where greedy breaks a rule, and compare with gold."""
    spans = tuple(span for span in gold if span.end <= len(words))
    tags = encode(spans, len(words), run.settings.scheme)
    _draw_paths(p, words, tags, decoding, told)
    p.write(_verdict(p, words, decoding))
    if not decoding.faults and p.state.get("sentence_from") == "own":
        p.button("show_broken", p.choose, "sentence_from", "test", icon="skip_next")
    paths = {"greedy": decoding.greedy_tags, "viterbi": decoding.viterbi_tags}
    p.say("decoded", **{name: sum(map(ne, path, tags)) for name, path in paths.items()})
    # A click on a column names its word in the link.
    is_open = p.in_link(WORD) is not None
    with p.fold("word_by_word", "table_rows", is_open=is_open):
        show_viterbi(p, words, decoding)


def _draw_paths(
    p: Part,
    words: tuple[str, ...],
    gold: Sequence[str],
    decoding: WordDecoding,
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
            chosen=word_shown(p, decoding),
            clickable=True,
        ),
        lambda: {
            "word": words,
            "gold": gold,
            "greedy": decoding.greedy_tags,
            "viterbi": decoding.viterbi_tags,
            **dict(zip(map(Text, tags), zip(*probabilities, strict=True), strict=True)),
        },
        on_click=partial(p.choose, WORD),
        n=len(words),
        faults=len(decoding.faults),
        **told,
    )


def _verdict(p: Part, words: tuple[str, ...], decoding: WordDecoding) -> str:
    """Say whether both paths agree, or which rules greedy breaks and what keeping them costs."""
    greedy, viterbi = decoding.greedy.log_probability, decoding.viterbi.log_probability
    sums = {"greedy": greedy, "viterbi": viterbi, "lost": round(greedy, 3) - round(viterbi, 3)}
    if not decoding.faults:
        return p.section("legal", **sums)
    n = len(decoding.faults)
    faults = [
        p.label("fault", word=words[one.position], reason=p.translated(one.reason))
        for one in decoding.faults
    ]
    broken = p.section("broken_once" if n == 1 else "broken", n=n)
    listed = "\n".join(f"- {line}" for line in faults)
    return "\n\n".join([broken, listed, p.section("mended", **sums)])


def _show_counts(p: Part, run: FineTuneSnapshot, title: str) -> None:
    """Decode every test sentence in six ways and compare."""
    for number in p.progress("counting", range(computed.n_parts(run)), patience=BAR_AFTER):
        computed.decoded_part(run, number)
    (scores, lead), n = computed.decoding_scores(run), len(run.data.test)
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
    verdict = p.section(("alike", "better", "worse")[lead.direction])
    p.write(
        f"{p.section('lead_of', difference=lead.value, low=lead.low, high=lead.high)} {verdict}"
    )
