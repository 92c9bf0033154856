"""What a tagger says of each piece: a probability for every tag, one of them in numbers."""

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.figures.finetuning.classification_terms import (
    Link,
    chain_reach,
    chain_svg,
    links_of,
    softmax_tex,
)
from mlm_core.figures.tagging.tag_distribution import distribution_svg
from mlm_core.tagging.bio_tags import Span
from pages.parts.bio_tagging.distribution_decoding import in_table, show_counts, show_decoding
from pages.parts.bio_tagging.setting import pick_test_sentence, split_words
from pages.shared.caches import cache_finetuning
from pages.shared.course.words import Text
from pages.shared.figures.table import Table
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from mlm_core.classification.head_steps import ClassSteps
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.shapes import Float, Tensor
    from mlm_core.text.tokens import TokenizedText

MOST_PIECES = 30  # with numbers below; a longer sentence's drawings are large already
SHOWN_TERMS = 5  # of a dot product of hundreds
LIKELIEST = "likeliest"
CODE = ("tagging.alignment:combine_subwords", "tagging.decoding:greedy", "tagging.decoding:viterbi")


@part(code=CODE)
def show(p: Part) -> None:
    """Ask a tagger about a sentence, draw its distributions, and decode them both ways."""
    from mlm_core.finetuning.decoding_comparison import decode_words

    p.say("lead", most=MOST_PIECES)
    chosen = finetune_runs.choose(p.page, ("entities", "own_tags"))
    if chosen is None:
        return
    title, run = chosen
    if run.predictions is None or run.dataset is None:
        p.note("no_predictions", icon="hourglass")
        return
    words, gold = _choose_sentence(p, run)
    if not words:
        p.note("no_text", icon="edit")
        return
    text, word_of_piece, predicted = cache_finetuning.piece_probabilities(run, words)
    inputs.say_what_was_left_out(text)
    told = {"title": title, "model": run.settings.model}
    _show_pieces(p, run, text, word_of_piece, predicted, told)
    combination = p.choice("combination")
    p.say(combination)
    if combination != "first" and run.settings.labelling == "first_only":
        p.say("untrained")
    reading = cache_finetuning.reading_of(run)
    decoding = decode_words(predicted, word_of_piece, reading, combination)
    told["combination"] = p.plain(f"combination_{combination}")
    show_decoding(p, run, words[: len(decoding.greedy_tags)], gold, decoding, told)
    show_counts(p, run, title)
    p.say("notice")


def _choose_sentence(
    p: Part, run: "FineTuneSnapshot"
) -> tuple[tuple[str, ...], tuple[Span, ...] | None]:
    """Show the choice of a sentence; return its words, and its entities if they are known."""
    from mlm_core.tagging.transitions import faults_in

    if p.choice("sentence_from") == "own":
        return split_words(p.text("sentence")), None
    combination = st.session_state.get(p.key("combination")) or "first"

    def breaks_a_rule(number: int) -> bool:
        part_number, place = divmod(number, cache_finetuning.AT_ONCE)
        decoded = cache_finetuning.decoded_part(run, part_number)[place]
        return bool(faults_in(decoded[combination, "greedy"], run.settings.scheme))

    number = pick_test_sentence(p, "test_sentence", run.data.test, breaks_a_rule)
    example = run.data.test[number]
    return example.words, example.spans


def _show_pieces(
    p: Part,
    run: "FineTuneSnapshot",
    text: "TokenizedText",
    word_of_piece: tuple[int | None, ...],
    predicted: "Float[Tensor, 'subword tag']",
    told: dict[str, Any],
) -> None:
    """Draw a column for each piece of a word, as [CLS] and [SEP] have no tag; write one out."""
    tags = cache_finetuning.reading_of(run).classes
    places = [i for i, word in enumerate(word_of_piece) if word is not None]
    pieces = [text.tokens[i].text for i in places]
    probabilities = predicted[places].exp().tolist()
    drawn, chosen = st.container(), None
    if len(places) <= MOST_PIECES:
        # At first a piece that is no O, if there is one: its numbers have more to tell.
        is_name = (predicted[places].argmax(dim=1) != tags.index("O")).tolist()
        first = is_name.index(True) if True in is_name else 0
        chosen = p.position("piece", pieces, default=first)
    with drawn:
        p.say("pieces", pieces=len(places), tags=len(tags))
        p.figure(
            "pieces_chances",
            partial(
                distribution_svg,
                probabilities,
                tags,
                pieces,
                word_of_column=[word_of_piece[i] for i in places],
                chosen=chosen,
                clickable=chosen is not None,
            ),
            lambda: [
                {"piece": piece} | dict(zip(map(Text, tags), row, strict=True))
                for piece, row in zip(pieces, probabilities, strict=True)
            ],
            on_click=None if chosen is None else partial(inputs.choose, p.key("piece")),
            n=len(places),
            tags=len(tags),
            **told,
        )
    if chosen is not None:
        _show_equations(p, run, text, places[chosen], told)


# Eq. 11.12 and 11.13 at one piece: dot products, logits, softmax, argmax, in numbers.


def _show_equations(
    p: Part, run: "FineTuneSnapshot", text: "TokenizedText", position: int, told: dict[str, Any]
) -> None:
    """Show every number between the state of one token and its tag."""
    from mlm_core.classification.head_steps import tag_steps

    model = cache_finetuning.model(run)
    steps, tags = tag_steps(model, text, position), model.classes
    told = told | {"piece": text.tokens[position].text}
    st.markdown(f"#### {p.label('equations')}")
    st.latex(r"\mathbf{y}_i = \mathrm{softmax}(\mathbf{h}^L_i W_K) \qquad (11.12)")
    st.latex(r"t_i = \mathrm{argmax}_k(\mathbf{y}_i) \qquad (11.13)")
    p.say("equations", piece=told["piece"], n=len(steps.pooled), tags=len(tags))
    _show_logits(p, steps, tags, told)
    _show_dot_product(p, steps, tags, told)
    p.code("equations", tag_steps)


def _show_logits(p: Part, steps: "ClassSteps", tags: tuple[str, ...], told: dict[str, Any]) -> None:
    """Write a line for each tag, then the quotient of the likeliest one."""
    probabilities = steps.probabilities.tolist()
    best = probabilities.index(max(probabilities))
    titles = [p.plain(f"equations_{name}") for name in ("tag", "dot", "bias", "logit")]
    titles += ["e^u", "y"]
    dots = steps.terms.sum(dim=1)
    numbers = [
        one.tolist() for one in (dots, steps.bias, steps.logits, steps.powers, steps.probabilities)
    ]
    if steps.shift:
        p.caption("equations_shifted", shift=steps.shift)
    shown = [[float(f"{x:.3g}") for x in column] for column in numbers]
    named = [in_table(tag, is_chosen=k == best) for k, tag in enumerate(tags)]
    Table(dict(zip(titles, [named, *shown], strict=True))).show()
    p.numbers("equations", dict(zip(titles, [tags, *numbers], strict=True)), **told)
    st.latex(softmax_tex(steps.powers.tolist(), best, probabilities[best]))
    second = max((k for k in range(len(tags)) if k != best), key=lambda k: probabilities[k])
    p.say(
        "argmax",
        piece=told["piece"],
        tag=tags[best],
        p=probabilities[best],
        second=tags[second],
        gap=steps.logits[best].item() - steps.logits[second].item(),
        factor=probabilities[best] / max(probabilities[second], 1e-300),
    )


def _show_dot_product(
    p: Part, steps: "ClassSteps", tags: tuple[str, ...], told: dict[str, Any]
) -> None:
    """Draw one tag's logit as a sum: its largest terms, the others together, the bias."""
    from mlm_core.classification.head_steps import largest_terms

    likeliest = int(steps.logits.argmax())
    names = {LIKELIEST: p.plain("equations_likeliest", tag=tags[likeliest])}
    chosen = p.choice("piece_tag", names | {str(k): tag for k, tag in enumerate(tags)})
    k = likeliest if chosen == LIKELIEST else int(chosen)
    found = largest_terms(steps, k, SHOWN_TERMS)
    links = links_of(
        found,
        named=partial(p.plain, "equations_term"),
        rest=p.plain("equations_rest", n=found.n_rest),
        bias=p.plain("equations_bias"),
    )
    logit = Link(name=p.plain("equations_logit"), value=found.total)
    p.figure(
        "dot_product",
        partial(chain_svg, links, logit, reach=chain_reach([links])),
        partial(steps.columns, k),
        tag=tags[k],
        total=found.total,
        **told,
    )
