"""What a masking generator did to each token: are specials, labels and the rest as they must be?

    special      special tokens are neither chosen nor changed
    labels       the label of a chosen token is the original
    unchosen     without a label, nothing is changed

These compare tokens, so one fault is enough; how often and how at random it draws is in
generator_rates.py and generator_draws.py.

Source: Devlin et al. 2019, section 3.1. Departs: [UNK] counts as an ordinary token, as in BERT.

Read before this: generator_output.py. Read next: generator_rates.py.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from mlm_core.masking.generator_output import Example
from mlm_core.masking.rule import Branch

# "different": allowed, but another generator than BERT's.
Outcome = Literal["right", "wrong", "different", "unsure"]

SPECIALS = {"[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>"}
PADDING, MASKS = {"[PAD]", "<pad>"}, {"[MASK]", "<mask>"}
BRANCHES: tuple[Branch, ...] = ("mask", "random", "keep")
ALMOST_ALL = 0.9  # of the ordinary tokens with their own label: then the labels choose nothing


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What one check found. `said` names it: "right", what is unsure or different, the mistake."""

    name: str
    outcome: Outcome
    said: str
    line: int | None = None  # the first in which it shows
    values: Mapping[str, object] = field(default_factory=dict)  # that a sentence about it names


class Place(NamedTuple):
    """One ordinary token: neither special nor padding."""

    example: Example
    at: int
    token: str  # before the corruption
    seen: str  # by the encoder
    label: str | None  # None: without a loss

    @property
    def branch(self) -> Branch:
        """Return what became of a chosen token."""
        if self.seen in MASKS:
            return "mask"
        return "keep" if self.seen == self.token else "random"


@dataclass(frozen=True, kw_only=True)
class Counted:
    """The ordinary tokens of all texts, and the chosen ones."""

    examples: Sequence[Example]
    ordinary: Sequence[Place]
    chosen: Sequence[Place]

    @property
    def branches(self) -> dict[Branch, int]:
        """Return how many chosen tokens took each branch."""
        n = Counter(place.branch for place in self.chosen)
        return {branch: n[branch] for branch in BRANCHES}

    @property
    def expected_branches(self) -> dict[Branch, float]:
        """Return the expected numbers; some random words equal the original and look kept."""
        n, random = len(self.chosen), 0.1 * (1 - self._hits)
        return {"mask": 0.8 * n, "random": random * n, "keep": (0.2 - random) * n}

    @property
    def _hits(self) -> float:
        """Return the estimated probability that a random word equals the token in its place."""
        drawn = Counter(one.seen for one in self.chosen if one.branch == "random")
        tokens = Counter(one.token for one in self.ordinary)
        equal = sum(n * tokens[word] for word, n in drawn.items())
        return equal / max(1, drawn.total() * tokens.total())


def count(examples: Sequence[Example]) -> Counted:
    """Return the ordinary tokens of the texts, and those with a label."""
    ordinary = [
        Place(example, at, token, example.inputs[at], example.labels[at])
        for example in examples
        for at, token in enumerate(example.tokens)
        if token not in SPECIALS
    ]
    chosen = [place for place in ordinary if place.label is not None]
    return Counted(examples=examples, ordinary=ordinary, chosen=chosen)


def check_special(counted: Counted) -> Finding:
    """Say whether [CLS], [SEP] and padding are left alone."""
    faults: dict[str, list[tuple[Example, int]]] = {}
    n = 0
    for example in counted.examples:
        columns = zip(example.tokens, example.inputs, example.labels, strict=True)
        for at, (token, seen, label) in enumerate(columns):
            if token not in SPECIALS:
                continue
            n += 1
            if label is not None:
                said = "padding_chosen" if token in PADDING else "special_chosen"
                faults.setdefault(said, []).append((example, at))
            elif seen != token:
                faults.setdefault("special_changed", []).append((example, at))
    if not faults:
        return Finding(name="special", outcome="right", said="right", values={"of": n})
    said, places = max(faults.items(), key=lambda fault: len(fault[1]))
    example, at = places[0]
    values = {"n": len(places), "of": n, "token": example.tokens[at], "seen": example.inputs[at]}
    return Finding(name="special", outcome="wrong", said=said, line=example.line, values=values)


def check_labels(counted: Counted) -> Finding:
    """Say whether each label is the original token."""
    n, of = len(counted.chosen), len(counted.ordinary)
    if not n:
        return Finding(name="labels", outcome="wrong", said="no_labels", values={"of": of})
    faults = [(said, place) for place in counted.chosen if (said := _label_fault(place))]
    if not faults:
        if n > ALMOST_ALL * of:
            return Finding(
                name="labels", outcome="wrong", said="labels_everywhere", values={"n": n, "of": of}
            )
        return Finding(name="labels", outcome="right", said="right", values={"of": n})
    (said, n_faults), *_ = Counter(said for said, _ in faults).most_common(1)
    first = next(place for name, place in faults if name == said)
    values = {"token": first.token, "seen": first.seen, "label": first.label}
    return Finding(
        name="labels",
        outcome="wrong",
        said=said,
        line=first.example.line,
        values={"n": n_faults, "of": n} | values,
    )


def _label_fault(place: Place) -> str | None:
    if place.label == place.token:
        return None
    if place.label == place.seen:
        return "label_is_input"
    around = place.example.tokens[max(0, place.at - 1) : place.at + 2]
    return "label_shifted" if place.label in around else "label_other"


def check_unchosen(counted: Counted) -> Finding:
    """Say whether what has no label is as it was."""
    rest = [place for place in counted.ordinary if place.label is None]
    changed = [place for place in rest if place.seen != place.token]
    if not changed:
        # Who pastes the corrupted text as the original has [MASK] in both.
        already = [place for place in counted.ordinary if place.token in MASKS]
        said = "mask_in_tokens" if already else "right"
        line = already[0].example.line if already else None
        outcome: Outcome = "wrong" if already else "right"
        values = {"n": len(already), "of": len(rest)}
        return Finding(name="unchosen", outcome=outcome, said=said, line=line, values=values)
    branches = Counter(place.branch for place in changed)
    if branches["mask"] > branches["random"]:
        said = "mask_without_label"
    elif all(place.branch == "mask" for place in counted.chosen):
        said = "labels_only_at_mask"
    else:
        said = "change_without_label"
    first = changed[0]
    values = {"n": len(changed), "of": len(rest), "token": first.token, "seen": first.seen}
    return Finding(
        name="unchosen", outcome="wrong", said=said, line=first.example.line, values=values
    )
