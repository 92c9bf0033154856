"""Two texts that are longer than the window: BERT's truncation, one token a step."""

from random import Random

import streamlit as st

from mlm_core.figures.prediction.sentence_pairs import pair_html
from mlm_core.prediction.pair_examples import Truncation, truncate_pair
from mlm_core.text.tokens import Token, tokenize
from pages.parts.sentence_pairs.setting import choose_seed
from pages.shared.caches import cache
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

LONGEST = 2_000  # characters of each text
N_SPECIAL = 3  # [CLS] and two [SEP]
MOST_TOKENS = 200  # of each text that are drawn and truncated; the app says what is left out


@part(code=("prediction.pair_examples:truncate_pair",))
def show(p: Part) -> None:
    """Let the learner step through the truncation of two texts."""
    p.say("lead")
    texts = []
    for name, column in zip(("first", "second"), st.columns(2), strict=True):
        with column:
            start = p.section(name)
            texts.append(p.area(f"truncation_{name}", start, longest=LONGEST, height=110))
    if max(map(len, texts)) >= LONGEST:
        p.warn("cut", icon="content_cut", longest=LONGEST)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        window = p.slider("window")
        seed = choose_seed(p)
    tokens = [_own_tokens(p, text) for text in texts]
    if not all(tokens):
        p.note("no_text", icon="edit")
        return
    sizes = {"first": len(tokens[0]), "second": len(tokens[1])}
    room = window - N_SPECIAL
    truncation = truncate_pair(*sizes.values(), room, Random(seed))
    n_steps, step = len(truncation.removals), 0
    if n_steps:
        step = _choose_step(p, n_steps)
        if step:
            _say_step(p, truncation, tokens, step)
        else:
            p.say("start", room=room, n=n_steps, **sizes)
    else:
        p.note("fits", icon="check", window=window, **sizes)
    _draw_step(p, truncation, tokens, step)
    p.say("notice")


def _own_tokens(p: Part, text: str) -> tuple[Token, ...]:
    """Return the text's tokens without the special ones around it."""
    cut = tokenize(cache.model_tokenizer(p.model_name), text, max_tokens=MOST_TOKENS + 2)
    if cut.n_left_out:
        inputs.say_what_was_left_out(cut)
    return cut.tokens[1:-1]


def _choose_step(p: Part, n_steps: int) -> int:
    """Show the slider and the button; a step beyond the end is the end."""
    key = p.key("step")
    before = st.session_state.get(key)
    if before is not None and int(before) > n_steps:
        inputs.choose(key, str(n_steps))
    step = int(p.choice("step", [str(i) for i in range(n_steps + 1)]))
    st.button(
        p.label("next"),
        # Streamlit forgets what a callback returns.
        on_click=inputs.choose,  # ty: ignore[invalid-argument-type]
        args=(key, str(step + 1)),
        disabled=step >= n_steps,
        icon=":material/skip_next:",
        key=p.key("next_step"),
    )
    return step


# One step of the truncation: in words, and as chips.


def _say_step(p: Part, truncation: Truncation, tokens: list[tuple[Token, ...]], step: int) -> None:
    """Say which token the last step took, and why there."""
    taken = truncation.removals[step - 1]
    left = (taken.n_first, taken.n_second)
    said = p.section(
        f"step_{'b' if taken.text else 'a'}",
        n=step,
        before=left[taken.text] + 1,
        other=left[1 - taken.text],
        end=p.plain("front" if taken.from_front else "back"),
        token=tokens[taken.text][taken.position].text,
    )
    if step == len(truncation.removals):
        said = f"{said} {p.section('done', first=left[0], second=left[1])}"
    st.markdown(said)


def _draw_step(p: Part, truncation: Truncation, tokens: list[tuple[Token, ...]], step: int) -> None:
    """Draw what is left after a step; what is gone is hatched."""
    first, second = tokens
    names = (p.plain("segment_a"), p.plain("segment_b"))
    taken = truncation.removals[:step]
    gone = {removal.position + removal.text * len(first) for removal in taken}
    n_gone = sum(removal.text == 0 for removal in taken)
    p.figure(
        "truncation",
        lambda alt: pair_html(
            (*first, *second), names, blocked=gone, n_first=len(first), label=alt
        ),
        [
            {
                "step": i + 1,
                "text": "AB"[removal.text],
                "end": "front" if removal.from_front else "back",
                "token": tokens[removal.text][removal.position].text,
                "left_in_a": removal.n_first,
                "left_in_b": removal.n_second,
            }
            for i, removal in enumerate(truncation.removals)
        ],
        source="alt",
        first=len(first) - n_gone,
        second=len(second) - (step - n_gone),
    )
