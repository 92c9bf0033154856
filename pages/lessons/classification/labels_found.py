"""What people who labelled the same texts found: how far they agree, and where they divide."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mlm_core.evaluation.agreement import FEWEST_SHARED, Label, agreement, division, majority
from mlm_core.labelled.own_parts import with_roles
from mlm_core.number_format import formatted
from pages.kit.part import Part, Table, Text
from pages.kit.training import finetune_own_data

TAKEN = "labels_taken"  # state: the text that the field of own data got from here
COLUMNS = {"label": 1, "text": 2, "pair": 0, "part": 0, "header": 0}  # of that text


def show_found(
    p: Part,
    texts: Sequence[str],
    labels: Sequence[Mapping[str, str]],
    *,
    takes: bool,
    is_folded: bool,
) -> None:
    """Show how many labels there are, how far they agree, and all texts, the divided ones first.

    `labels` has those of each text by annotators; the labelling goes on if it `takes` more. The
    texts are folded, or not.
    """
    counts = [Counter(one.values()) for one in labels]
    sizes = [one.total() for one in counts]
    people = {who for one in labels for who in one}
    p.say("found", n=sum(sizes), people=len(people), least=min(sizes), most=max(sizes))
    if p.is_presented and takes:
        return  # what others chose is to sway nobody
    _show_measures(p, labels)
    with p.fold("texts", is_open=not is_folded):
        _show_texts(p, texts, counts)
    _offer(p, texts, counts)


def _show_measures(p: Part, labels: Sequence[Mapping[str, str]]) -> None:
    values = agreement(labels)
    if values.alpha is None:
        p.note("no_measure")
        return
    measures = {"alpha": values.alpha, "fleiss": values.fleiss, "cohen": values.cohen}
    with p.row("top", gap="large"):
        for name, value in measures.items():
            shown = "–" if value is None else formatted(value, ".2f")
            p.metric(name, shown, width="content")
    p.say(
        "measures",
        n_alpha=values.n_alpha_texts,
        n_fleiss=values.n_fleiss_texts,
        n_labels=values.n_fleiss_labels,
        n_pairs=values.n_pairs,
        fewest=FEWEST_SHARED,
    )


def _show_texts(p: Part, texts: Sequence[str], counts: Sequence[Counter]) -> None:
    order = sorted(range(len(texts)), key=lambda i: (-division(counts[i]), -counts[i].total(), i))
    columns = [p.plain(f"column_{name}") for name in ("text", "labels", "differ")]
    rows = [
        [
            Text(texts[i]),
            Text(", ".join(f"{name} {n}" for name, n in counts[i].most_common())),
            Text(f"{formatted(100 * division(counts[i]), '.0f')} %"),
        ]
        for i in order
    ]
    Table(rows, columns).show()


def _offer(p: Part, texts: Sequence[str], counts: Sequence[Counter]) -> None:
    """Offer the majority's labels, in this lesson and as a file."""
    decided = [
        (text, label, one)
        for text, one in zip(texts, counts, strict=True)
        if (label := majority(one)) is not None
    ]
    p.caption("majority", n=len(decided), left=len(texts) - len(decided))
    field = p.state.get(finetune_own_data.TEXT)
    is_used = bool(field) and field != p.state.get(TAKEN)
    text = own_text([(text, label) for text, label, _ in decided])
    rows = [[text, label, one.total(), one[label] / one.total()] for text, label, one in decided]
    names = [Text(name) for name in ("text", "label", "n", "share")]
    with p.row("center"):
        off: dict[str, Any] = {"disabled": is_used or not decided}
        p.button("labels_take", _take, p, text, icon="model_training", label="take", **off)
        file = ("our-labels.csv", "text/csv", "save")
        p.download("labels_csv", Table(rows, names).csv, *file, disabled=not decided)
    if is_used:
        p.caption("field_used", part=p.plain("part_train"))


def own_text(labelled: Iterable[tuple[str, Label]]) -> str:
    """Return texts with their labels as this lesson reads a learner's own."""
    return with_roles("".join(f"{label}\t{text}\n" for text, label in labelled), COLUMNS)


def _take(p: Part, text: str) -> None:
    p.state[finetune_own_data.TEXT] = p.state[TAKEN] = text
    p.choose("set_data", "own_classes")
    p.go_to_part("train")
