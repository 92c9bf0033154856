"""After NSP: documents poured into windows, and what becomes of a pair that is too long."""

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any

from mlm_core.figures.prediction.packing import MOST_WINDOWS, packing_svg
from mlm_core.figures.prediction.sentence_pairs import pair_html
from mlm_core.number_format import formatted
from mlm_core.prediction.packing import Packing, pack
from mlm_core.prediction.pair_examples import Truncation, truncate_pair
from mlm_core.text.tokens import Token, tokenize
from pages.kit.caches import cache_vocabularies
from pages.kit.part import Part, Table, part
from pages.lessons.sentence_pairs import computed
from pages.lessons.sentence_pairs.setting import choose_seed, documents_text, own_pair

SIZES = ("32", "64", "128", "256", "512")
GUESSES = {"low": (0.0, 0.25), "middle": (0.25, 0.6), "high": (0.6, 1.01)}  # share of padding
N_SPECIAL = 3  # [CLS] and two [SEP]
LONGEST = 512  # tokens in a window of BERT and RoBERTa
BERT_WINDOWS, BERT_WORDS = 1_000_000 * 256, 3.3e9  # Devlin et al. 2019, A.2


@part()
def show(p: Part) -> None:
    """Let the learner guess, then pour their documents or ours into windows."""
    p.say("lead")
    with p.row():
        size = int(p.choice("pack_size", SIZES))
        with p.popover("documents", "tune"):
            own_text = documents_text(p)
    language = p.language
    lengths = cache_vocabularies.sentence_lengths(p.model_name, own_text, language)
    packings = computed.packings(p.model_name, own_text, size, language)
    guess = p.guess("packing", tuple(GUESSES), rows=5)
    if guess is not None:
        share = packings["pairs"].padding_proportion
        truth = next(name for name, (least, most) in GUESSES.items() if least <= share < most)
        p.tell_right("packing", truth)
        verdict = "right" if guess == truth else "wrong"
        p.say(f"answer_{verdict}", guess=p.plain(f"guess_{guess}"), share=share)
        layout = p.choice("layout")
        p.say(layout)
        _draw(p, packings[layout], lengths)
        with p.fold("compared", "table_rows"):
            _compare_layouts(p, packings, size)
    p.say("batches", passes=BERT_WINDOWS * LONGEST / BERT_WORDS)
    with p.fold("too_long", "content_cut"):
        _show_truncation(p)
    if guess is not None:
        p.code("packing", pack)


def _draw(p: Part, packing: Packing, lengths: tuple[tuple[int, ...], ...]) -> None:
    """Draw the windows of a layout to scale."""
    share, n_windows = packing.padding_proportion, len(packing.windows)
    p.metrics(
        {
            p.label("share"): _per_cent(share),
            p.label("windows"): formatted(n_windows, ","),
            p.label("crossing"): formatted(packing.n_crossing, ","),
        }
    )
    names = {name: p.plain(name) for name in ("document", "padding", "window")}
    p.figure(
        "packing",
        partial(packing_svg, packing, names=names),
        lambda: _window_table(packing),
        n=len(lengths),
        size=packing.window_size,
        share=share,
        text=sum(map(sum, lengths)),
        drawn=min(n_windows, MOST_WINDOWS),
        windows=n_windows,
    )
    if packing.n_truncated:
        p.caption("truncated", n=packing.n_truncated)
    if packing.n_split:
        p.caption("split", n=packing.n_split)


# Packing in numbers: every window of one layout, and all layouts side by side.


def _window_table(packing: Packing) -> dict[str, object]:
    """Return every window: the documents in it, its tokens of text and of padding."""
    return {
        "window": range(1, len(packing.windows) + 1),
        "documents": [
            " ".join(str(document + 1) for document in window.documents)
            for window in packing.windows
        ],
        "text": [
            sum(piece.n_tokens for piece in window.pieces if piece.document is not None)
            for window in packing.windows
        ],
        "padding": [window.n_padding for window in packing.windows],
    }


def _compare_layouts(p: Part, packings: Mapping[Any, Packing], size: int) -> None:
    """Show padding, windows and crossings of all layouts as one table."""
    each = packings.values()
    table = Table(
        {
            p.plain("layout"): [p.label(f"layout_{name}") for name in packings],
            p.plain("share"): [_per_cent(packing.padding_proportion) for packing in each],
            p.plain("windows"): [len(packing.windows) for packing in each],
            p.plain("crossing"): [packing.n_crossing for packing in each],
        }
    )
    table.show()
    p.numbers("layouts", table, size=size)


def _per_cent(share: float) -> str:
    return f"{formatted(100 * share, '.1f')} %"


# A pair that is too long for the window: BERT's truncation, one token a step.


def _show_truncation(p: Part) -> None:
    """Let the learner step through the truncation of their pair."""
    p.say("cut")
    texts = own_pair(p)
    with p.row():
        window = p.slider("window")
        seed = choose_seed(p)
    tokenizer = p.tokenizer
    first, second = (tokenize(tokenizer, text).tokens[1:-1] for text in texts)
    if not first or not second:
        p.note("no_text", icon="edit")
        return
    room = window - N_SPECIAL
    truncation = truncate_pair(len(first), len(second), room, Random(seed))
    n_steps = len(truncation.removals)
    sizes = {"first": len(first), "second": len(second)}
    if not n_steps:
        p.note("cut_fits", icon="check", window=window, **sizes)
        return
    step = _choose_step(p, n_steps)
    if step:
        _say_step(p, truncation, (first, second), step)
    else:
        p.say("cut_start", room=room, n=n_steps, **sizes)
    _draw_step(p, truncation, (first, second), step)


def _choose_step(p: Part, n_steps: int) -> int:
    """Show the slider and the button; a step beyond the end is the end."""
    before = p.state.get("step")
    if before is not None and int(before) > n_steps:
        p.choose("step", str(n_steps))
    step = int(p.choice("step", [str(i) for i in range(n_steps + 1)]))
    p.button(
        "next_step", p.choose, "step", str(step + 1), icon="skip_next", disabled=step >= n_steps
    )
    return step


def _say_step(
    p: Part, truncation: Truncation, tokens: tuple[tuple[Token, ...], ...], step: int
) -> None:
    """Say which token the last step removed, and why that one."""
    removal = truncation.removals[step - 1]
    left = (removal.n_first, removal.n_second)
    p.say(
        "cut_b" if removal.text else "cut_a",
        n=step,
        before=left[removal.text] + 1,
        other=left[1 - removal.text],
        end=p.plain("front" if removal.from_front else "back"),
        token=tokens[removal.text][removal.position].text,
    )


def _draw_step(
    p: Part, truncation: Truncation, tokens: tuple[tuple[Token, ...], ...], step: int
) -> None:
    """Draw what is left after a step; what is gone is hatched."""
    first, second = tokens
    removals = truncation.removals
    gone = {removal.position + removal.text * len(first) for removal in removals[:step]}
    n_gone = sum(removal.text == 0 for removal in removals[:step])
    p.figure(
        "truncation",
        lambda alt: pair_html(
            (*first, *second),
            (p.plain("segment_a"), p.plain("segment_b")),
            blocked=gone,
            n_first=len(first),
            label=alt,
        ),
        {
            "step": range(1, len(removals) + 1),
            "text": ["AB"[removal.text] for removal in removals],
            "end": ["front" if removal.from_front else "back" for removal in removals],
            "token": [tokens[removal.text][removal.position].text for removal in removals],
            "left_in_a": [removal.n_first for removal in removals],
            "left_in_b": [removal.n_second for removal in removals],
        },
        source="truncation_alt",
        first=len(first) - n_gone,
        second=len(second) - (step - n_gone),
    )
