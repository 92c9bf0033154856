"""Check how a masking generator draws: random words, one die a token, which positions, how often.

    dice         each chosen token has a die of its own, not one for its whole text
    words        random words come from a vocabulary, and are no special tokens
    positions    which tokens are chosen depends on no place, no seed, no other token
    repeats      a text that comes twice gets another mask (dynamic), or the same (static)

A fixed count, whole words and static masks are allowed: they are said to be different. A static
mask that comes again is no new draw, so it counts once.

Source: Liu et al. 2019, section 4.1 (static and dynamic masking); Devlin et al. 2019, section 3.1.

Read before this: generator_rates.py.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise

from mlm_core.masking.generator_labels import (
    ALMOST_ALL,
    MASKS,
    SPECIALS,
    Counted,
    Finding,
    Place,
    check_labels,
    check_special,
    check_unchosen,
    count,
)
from mlm_core.masking.generator_output import Example
from mlm_core.masking.generator_rates import (
    FEWEST_TEXTS,
    check_branches,
    check_rate,
    fixed_count,
    spread_of_counts,
)
from mlm_core.masking.goodness_of_fit import fit_of_proportions

FEWEST_WORDS = 20  # random words below which nothing is said of them
FEWEST_SPECIAL = 3  # of 30,000 entries BERT's own code draws a special token once in many thousands
MOST_OF_ONE = 0.5  # of all random words: no word of a language is that frequent
QUARTERS = 4
TOO_MANY_NEIGHBOURS = 4  # standard deviations
TOO_UNEVEN = 2  # times the variance of independent draws


def check_generator(counted: Counted) -> tuple[Finding, ...]:
    """Return what each check found; without usable labels, only what can be said.

    Raises ValueError if there is no ordinary token.
    """
    if not counted.ordinary:
        raise ValueError("no ordinary token to check: write texts, not special tokens alone")
    labels = check_labels(counted)
    findings = [check_special(counted), labels]
    if labels.said != "labels_everywhere":
        findings.append(check_unchosen(counted))
    if labels.said not in ("labels_everywhere", "no_labels"):
        findings += _check_draws(drawn(counted))
        findings.append(_check_repeats(counted))
    return tuple(findings)


def drawn(counted: Counted) -> Counted:
    """Return what was drawn: of static masks each once, else all.

    A dynamic generator may draw the same again, most often nothing in a short text: that counts.
    """
    if _check_repeats(counted).said != "static":
        return counted
    first_of: dict[tuple, Example] = {}
    for one in counted.examples:
        first_of.setdefault((one.tokens, one.inputs, one.labels), one)
    return count([*first_of.values()])


def _check_draws(counted: Counted) -> Iterator[Finding]:
    """Give what can be said of the random draws."""
    yield check_rate(counted)
    yield check_branches(counted)
    yield from _check_dice(counted)
    yield from _check_words(counted)
    yield _check_positions(counted)


def _check_dice(counted: Counted) -> Iterator[Finding]:
    """Compare neighbouring chosen tokens of a text: do they take the same branch too often?"""
    pairs = [
        (first, second)
        for first, second in pairwise(counted.chosen)
        if first.example is second.example
    ]
    shares = [n / len(counted.chosen) for n in counted.branches.values()]
    alike = sum(share**2 for share in shares)
    if not pairs or alike > ALMOST_ALL:
        return
    n = sum(first.branch == second.branch for first, second in pairs)
    expected = alike * len(pairs)
    fit = fit_of_proportions([n, len(pairs) - n], [expected, len(pairs) - expected])
    values = {"n": n, "of": len(pairs), "expected": expected}
    if fit.verdict != "no_fit" or n < expected:
        if fit.verdict != "too_few":
            yield Finding(name="dice", outcome="right", said="right", values=values)
        return
    is_all = n > ALMOST_ALL * len(pairs)  # a random word may equal the original and look kept
    yield Finding(
        name="dice",
        outcome="wrong" if is_all else "different",
        said="one_branch_a_text" if is_all else "branches_alike",
        values=values,
    )


def _check_words(counted: Counted) -> Iterator[Finding]:
    """Look at the words that came at random."""
    random = [place for place in counted.chosen if place.branch == "random"]
    if not random:
        return  # said by the branches
    words = Counter(place.seen for place in random)
    (top, n_top), *_ = words.most_common(1)
    values: dict[str, object] = {"of": len(random), "distinct": len(words), "word": top}
    special = [place for place in random if place.seen in SPECIALS]
    if special:
        too_many = len(special) >= FEWEST_SPECIAL
        yield Finding(
            name="words",
            outcome="wrong" if too_many else "different",
            said="special_words" if too_many else "few_special_words",
            line=special[0].example.line,
            values=values | {"n": len(special), "word": special[0].seen},
        )
        return
    own = [place for place in random if place.seen in place.example.tokens]
    outcome, said, n, first = "right", "right", n_top, None
    if len(random) < FEWEST_WORDS:
        outcome, said = "unsure", "words_too_few"
    elif n_top > MOST_OF_ONE * len(random):
        outcome, said = "wrong", "one_word"
        first = next(place for place in random if place.seen == top)
    elif len(own) > ALMOST_ALL * len(random):
        outcome, said, n, first = "wrong", "words_of_the_text", len(own), own[0]
    yield Finding(
        name="words",
        outcome=outcome,
        said=said,
        line=first.example.line if first else None,
        values=values | {"n": n},
    )


def _check_positions(counted: Counted) -> Finding:
    """Say whether the chosen positions look independent of everything."""
    places, name, spread = _positions(counted), "positions", spread_of_counts(counted)
    texts = [one for one in counted.examples if one.line in places]
    values: dict[str, object] = {"n": len(counted.examples), "spread": spread}
    if len(texts) < FEWEST_TEXTS:
        return Finding(name=name, outcome="unsure", said="positions_too_few", values=values)
    if found := _seeded_again(texts, places):
        return Finding(name=name, outcome="wrong", said="seeded_again", **found)
    numbers = [len(places.get(one.line, ())) for one in counted.examples]
    rounding = fixed_count(counted)
    if len(set(numbers)) == 1 and rounding is None:
        values |= {"count": numbers[0]}
        return Finding(name=name, outcome="wrong", said="same_count", values=values)
    quarters = _by_quarter(counted)
    fit = fit_of_proportions(*([n / max(1.0, spread) for n in each] for each in quarters))
    if fit.verdict == "no_fit":
        shares = [o / e if e else 0.0 for o, e in zip(*quarters, strict=True)]
        values |= {"first": shares[0], "last": shares[-1], "statistic": fit.statistic}
        return Finding(name=name, outcome="wrong", said="by_position", values=values)
    n_near, expected = _neighbours(counted, places)
    values |= {"near": n_near, "expected": expected}
    if expected >= 1 and n_near > expected + TOO_MANY_NEIGHBOURS * expected**0.5:
        return Finding(name=name, outcome="different", said="neighbours", values=values)
    if rounding:
        return Finding(name=name, outcome="different", said="fixed_count", values=values)
    if spread > TOO_UNEVEN:
        return Finding(name=name, outcome="different", said="uneven", values=values)
    return Finding(name=name, outcome="right", said="right", values=values)


def _positions(counted: Counted) -> dict[int, tuple[int, ...]]:
    """Return the chosen positions by line, without texts that have none."""
    places = defaultdict(list)
    for place in counted.chosen:
        places[place.example.line].append(place.at)
    return {line: tuple(found) for line, found in places.items()}


def _seeded_again(texts: list[Example], places: dict[int, tuple[int, ...]]) -> dict | None:
    """Return where other texts of the same length have the same positions; None if they differ."""
    first_of: dict[tuple[bool, ...], Example] = {}
    same, compared, line = 0, 0, None
    for one in texts:
        first = first_of.setdefault(tuple(token in SPECIALS for token in one.tokens), one)
        if first.tokens == one.tokens:
            continue
        compared += 1
        if places[first.line] == places[one.line]:
            same, line = same + 1, line or one.line
    if compared < FEWEST_TEXTS or same < ALMOST_ALL * compared:
        return None
    return {"line": line, "values": {"n": same, "of": compared}}


def _by_quarter(counted: Counted) -> tuple[list[int], list[float]]:
    """Return the chosen tokens by quarter of their text, and the expected numbers."""
    ordinary: dict[int, list[Place]] = defaultdict(list)
    for place in counted.ordinary:
        ordinary[place.example.line].append(place)
    observed, expected = [0] * QUARTERS, [0.0] * QUARTERS
    for text in ordinary.values():
        n_chosen = sum(place.label is not None for place in text)
        for number, place in enumerate(text):
            quarter = QUARTERS * number // len(text)
            observed[quarter] += place.label is not None
            expected[quarter] += n_chosen / len(text)
    return observed, expected


def _neighbours(counted: Counted, places: dict[int, tuple[int, ...]]) -> tuple[int, float]:
    """Return how many chosen tokens stand side by side, and how many would by chance.

    Given the number of chosen tokens of a text, each pair of places is equally likely.
    """
    found, expected = 0, 0.0
    for example in counted.examples:
        free = [i for i, token in enumerate(example.tokens) if token not in SPECIALS]
        chosen = places.get(example.line, ())
        k, n = len(chosen), len(free)
        found += sum(second - first == 1 for first, second in pairwise(chosen))
        if n > 1:
            side_by_side = sum(second - first == 1 for first, second in pairwise(free))
            expected += side_by_side * k * (k - 1) / (n * (n - 1))
    return found, expected


def _check_repeats(counted: Counted) -> Finding:
    """Say whether a text that comes again has the same mask again."""
    first_of: dict[tuple[str, ...], Example] = {}
    same, repeats = [], 0
    for one in counted.examples:
        first = first_of.setdefault(one.tokens, one)
        if first is one or MASKS & {*one.tokens}:
            continue
        repeats += 1
        if (first.inputs, first.labels) == (one.inputs, one.labels):
            same.append(one)
    values = {"n": len(same), "of": repeats}
    if repeats < FEWEST_TEXTS:
        return Finding(name="repeats", outcome="unsure", said="no_repeats", values=values)
    if len(same) > ALMOST_ALL * repeats:
        return Finding(
            name="repeats", outcome="different", said="static", line=same[0].line, values=values
        )
    return Finding(name="repeats", outcome="right", said="right", values=values)
