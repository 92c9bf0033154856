"""One head: what it attends to in our sentences, its strongest pairs, the loss without it."""

from functools import partial

from mlm_core.encoder.model_list import BUNDLED_FOLDERS
from mlm_core.figures.charts import bars_chart
from mlm_core.figures.encoder.head_pairs import DrawnPair, pairs_html
from mlm_core.figures.matrix import matrix_svg
from mlm_core.inside.head_patterns import KINDS, HeadPair, parts_of_speech, shares_of
from mlm_core.inside.switches import Head
from mlm_core.number_format import formatted
from mlm_core.shapes import Float, Tensor
from mlm_core.text.tokens import TokenizedText
from pages.kit.part import Part, part
from pages.kit.remember import read
from pages.lessons.attention_mask import computed
from pages.lessons.attention_mask.setting import cells, choose_head, choose_layer

HEIGHT = 330  # of the chart; pixels
N_DRAWN = 8  # pairs; the table has all


@part(code=("inside.head_patterns:shares_of", "inside.head_patterns:strongest_pairs"))
def show(p: Part) -> None:
    """Let the learner choose a head; draw what it attends to in our sentences and in theirs."""
    p.say("lead")
    board, (pairs, own) = p.place(), p.columns()
    with own:
        p.heading("own")
        tokens, encoding = p.encoding(p.text("text"))  # refused without weights: first of all
        p.say_what_was_left_out(tokens)
    with board:
        with p.row("bottom"):
            head = Head(choose_layer(p), choose_head(p))
        is_stored = p.model_name in BUNDLED_FOLDERS
        if is_stored:
            left, right = p.columns()
            with left:
                found = _kinds(p, head)
            with right:
                p.say("found", **found)
                if found["other"] != found["kind"]:
                    p.say("found_other", **found)
                _without(p, head)
                p.say("notice")
        else:
            p.note("not_stored", model=p.model_name)
            _offer_flow(p)
    with pairs:
        _pairs(p, head, is_stored=is_stored)
    with own:
        _own(p, head, tokens, encoding.weights[head.layer - 1][0, head.head - 1])


def _offer_flow(p: Part) -> None:
    p.button("one_head_flow", _open_flow, p, icon="visibility", type="tertiary")


def _open_flow(p: Part) -> None:
    p.choose("kind", "bidirectional")
    p.go_to_part("flow")


def _kinds(p: Part, head: Head) -> dict[str, object]:
    """Draw a head's proportions by kind of token; return what is said of the most striking one."""
    stored = computed.stored_heads(p.model_name)
    names, shares = [p.plain(f"kind_{kind}") for kind in KINDS], stored.shares[head]
    means = [
        sum(column) / len(stored.shares) for column in zip(*stored.shares.values(), strict=True)
    ]
    ranked = sorted(range(len(KINDS)), key=lambda i: stored.chance[i] - shares[i])
    most, other = ranked[0], next(i for i in ranked if KINDS[i] not in ("cls", "sep"))
    found: dict[str, object] = {"kind": names[most], "share": shares[most]}
    found |= {"chance": stored.chance[most], "mean": means[most]}
    found |= {"other": names[other], "other_share": shares[other]}
    p.figure(
        "kinds",
        bars_chart(
            names,
            {"": shares},
            written=lambda share: formatted(share, ".1%"),
            marks=stored.chance,
            x_axis={"range": [0, 1.4], "visible": False},
        ).update_layout(height=HEIGHT),
        {"attended": names, "share": shares, "equal_weights": stored.chance, "all_heads": means},
        n_sentences=stored.n_sentences,
        n_queries=stored.n_queries,
        **head._asdict(),
        **found,
    )
    return found


def _without(p: Part, head: Head) -> None:
    """Say by how much the loss rises without the head, and lead to where it can be switched off."""
    rises = computed.rises_without(p.model_name)
    rank = 1 + sum(rise > rises[head] for rise in rises.values())
    p.say("without", rise=rises[head], rank=rank, of=len(rises))
    with p.row("center"):
        _offer_flow(p)
        p.link_to(
            "inside_a_prediction",
            "break_it",
            p.label("switch", n=p.number_of("inside_a_prediction")),
            keeps_model=True,
            inside_a_prediction_off=f"{head.layer}-{head.head}",
        )


def _pairs(p: Part, head: Head, *, is_stored: bool) -> None:
    """Draw the strongest pairs that are stored, or those at a word that is searched."""
    p.heading("strongest")
    word = p.text("one_head_word", "").strip()
    if word:
        pairs, n = computed.pairs_at(p.model_name, p.language, head, word)
        if not n:
            p.note("no_word")
            return
        p.caption(
            "searched", n=n, read=min(n, computed.MOST_SEARCHED), shown=min(len(pairs), N_DRAWN)
        )
    elif is_stored:
        pairs = computed.stored_heads(p.model_name).pairs[head]
    else:
        return
    texts = [read(p.model_name, pair.sentence)[1] for pair in pairs]
    p.figure(
        "pairs",
        partial(
            pairs_html,
            [_drawn(pair, text) for pair, text in zip(pairs, texts, strict=True)][:N_DRAWN],
            looks=p.plain("looks"),
            seen=p.plain("seen"),
        ),
        [
            {
                "query": pair.query,
                "query_token": text.texts[pair.query],
                "key": pair.key,
                "key_token": text.texts[pair.key],
                "weight": pair.weight,
                "sentence": pair.sentence,
            }
            for pair, text in zip(pairs, texts, strict=True)
        ],
        n=min(len(pairs), N_DRAWN),
        most=pairs[0].weight,
        **head._asdict(),
    )


def _drawn(pair: HeadPair, text: TokenizedText) -> DrawnPair:
    query, key = (text.tokens[i] for i in (pair.query, pair.key))
    places = {"query": (query.start, query.stop), "key": (key.start, key.stop)}
    return DrawnPair(text=pair.sentence, weight=pair.weight, **places)


def _own(p: Part, head: Head, text: TokenizedText, weights: Float[Tensor, "query key"]) -> None:
    """Draw the head's weights on the learner's sentence, and say what it attends to most there."""
    if text.words:
        shares = shares_of(weights, text, parts_of_speech(p.language)).tolist()
        most = max(range(len(KINDS)), key=shares.__getitem__)
        p.say("own_most", kind=p.plain(f"kind_{KINDS[most]}"), share=shares[most])
    tokens, rows = text.texts, weights.tolist()
    p.figure(
        "one_head_matrix",
        partial(matrix_svg, rows, tokens, tokens),
        cells(tokens, rows),
        alt="matrix_alt",
        source="source",
        mask=p.plain("mask_bidirectional"),
        of=len(tokens),
        **head._asdict(),
    )
