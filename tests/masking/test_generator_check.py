"""The check of a learner's masking generator: right ones pass, and each mistake is named.

The generators are written here as learners write them, without the code of mlm_core/masking.
"""

import json
from collections.abc import Callable, Sequence
from itertools import product
from random import Random

import pytest

from mlm_core.masking.generator_draws import check_generator
from mlm_core.masking.generator_labels import Finding, count
from mlm_core.masking.generator_output import Example, read_output, write_output
from mlm_core.masking.generator_rates import check_rate
from mlm_core.masking.goodness_of_fit import interval_of_proportion
from mlm_core.masking.random_words import random_words
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import corrupt, roll
from mlm_core.text.tokens import role_id, tokenize, train_tokenizer
from pages.server.course.language import languages
from pages.server.course.words import read_words
from tests.hostile import TEXTS

Columns = tuple[list[str], list[str], list]
Generator = Callable[[list[str], Random], Columns]
WORDS = [read_words("masking", language) for language in languages()]
VOCABULARY = [f"word{n}" for n in range(300)]
SPECIALS = ("[CLS]", "[SEP]", "[PAD]")
SENTENCE = "the old man crossed the river at night and sat by the fire"
TOKENIZER = train_tokenizer("WordPiece", [SENTENCE], 60)
LONGEST = 26
N_TEXTS = 140  # each comes twice: some 4,200 ordinary tokens, 630 of them chosen


def texts() -> list[list[str]]:
    """Return texts of other lengths, frequent words first, padded as a batch."""
    rng = Random(5)
    weights = [1 / (n + 3) for n in range(len(VOCABULARY))]
    made = []
    for _ in range(N_TEXTS):
        words = rng.choices(VOCABULARY, weights, k=rng.randint(7, 23))
        tokens = ["[CLS]", *words, "[SEP]"]
        made.append(tokens + ["[PAD]"] * (LONGEST - len(tokens)))
    return made


TWICE = [*texts(), *texts()]


def replaced(token: str, rng: Random, rates=(0.8, 0.1), words=VOCABULARY) -> str:
    draw = rng.random()
    if draw < rates[0]:
        return "[MASK]"
    return rng.choice(words) if draw < sum(rates) else token


def at(tokens: list[str], chosen: list[int], rng: Random, **how) -> Columns:
    """Corrupt the chosen positions, each with a die of its own."""
    inputs, labels = [*tokens], [-100] * len(tokens)
    for i in chosen:
        inputs[i], labels[i] = replaced(tokens[i], rng, **how), tokens[i]
    return tokens, inputs, labels


def free(tokens: list[str], specials=SPECIALS) -> list[int]:
    return [i for i, token in enumerate(tokens) if token not in specials]


def drawn(tokens: list[str], rng: Random, rate=0.15, specials=SPECIALS) -> list[int]:
    return [i for i in free(tokens, specials) if rng.random() < rate]


def independent(tokens, rng, **how):
    return at(tokens, drawn(tokens, rng), rng, **how)


def fixed(tokens, rng):
    n = max(1, round(0.15 * sum(token != "[PAD]" for token in tokens)))
    return at(tokens, sorted(rng.sample(free(tokens), n)), rng)


def relabelled(label: Callable[[Columns, int], object]) -> Generator:
    """Return a right generator whose labels are made otherwise."""

    def generate(tokens, rng):
        columns = independent(tokens, rng)
        return (*columns[:2], [label(columns, i) for i in range(len(tokens))])

    return generate


def label_of_input(columns, i):
    return columns[1][i] if columns[2][i] != -100 else -100


def label_at_mask(columns, i):
    return columns[0][i] if columns[1][i] == "[MASK]" else -100


def label_of_next(columns, i):
    return columns[0][i + 1] if columns[2][i] != -100 else -100


def label_where_changed(columns, i):
    return columns[0][i] if columns[1][i] != columns[0][i] else -100


def with_new_draws(tokens, rng, second):
    """Corrupt with a new number in each branch: if ... elif rng.random() < second."""
    inputs, labels = [*tokens], [None] * len(tokens)
    for i in drawn(tokens, rng):
        labels[i] = tokens[i]
        if rng.random() < 0.8:
            inputs[i] = "[MASK]"
        elif rng.random() < second:
            inputs[i] = rng.choice(VOCABULARY)
    return tokens, inputs, labels


def one_die(tokens, rng):
    draw, inputs, labels = rng.random(), [*tokens], [-100] * len(tokens)
    for i in drawn(tokens, rng):
        labels[i] = tokens[i]
        if draw < 0.9:
            inputs[i] = "[MASK]" if draw < 0.8 else rng.choice(VOCABULARY)
    return tokens, inputs, labels


def spans(tokens, rng):
    """Choose two tokens side by side."""
    chosen: list[int] = []
    for i in free(tokens)[:-1]:
        if i not in chosen and rng.random() < 0.085:
            chosen += [i, i + 1]
    return at(tokens, chosen, rng)


def masked_without_label(tokens, rng):
    inputs = ["[MASK]" if i in drawn(tokens, rng) else token for i, token in enumerate(tokens)]
    return tokens, inputs, independent(tokens, rng)[2]


def first_tokens(tokens, rng):
    places = free(tokens)
    return at(tokens, places[: max(1, round(0.15 * len(places)) + rng.randint(-1, 1))], rng)


def labels_everywhere(tokens, rng):
    labels = [-100 if token in SPECIALS else token for token in tokens]
    return tokens, independent(tokens, rng)[1], labels


def own_words(tokens, rng):
    return independent(tokens, rng, words=[tokens[i] for i in free(tokens)])


def static(seed: int) -> Generator:
    """Return a right generator that draws once for each text."""
    return lambda tokens, rng: independent(tokens, Random(f"{seed} {tokens}"))


def found_in(
    generate: Generator, seed: int = 3, texts: Sequence[list[str]] = TWICE
) -> dict[str, Finding]:
    """Return what is found in a generator's output; each finding can be said to a reader."""
    rng = Random(seed)
    lines = [
        json.dumps(dict(zip(("tokens", "inputs", "labels"), generate(one, rng), strict=True)))
        for one in texts
    ]
    examples, left_out, _ = read_output("\n".join(lines))
    assert len(examples) == len(texts) and not left_out
    found = {finding.name: finding for finding in check_generator(count(examples))}
    for name, one in found.items():
        section = (
            f"own_generator.{one.said}" if one.said != "right" else f"own_generator.right_{name}"
        )
        assert all(words.section(section, **one.values) for words in WORDS), "each has its sentence"
    return found


def test_a_right_generator_passes_every_check():
    found = found_in(independent)
    assert {one.outcome for one in found.values()} == {"right"}
    assert [*found] == [
        *("special", "labels", "unchosen", "rate", "branches", "dice", "words", "positions"),
        "repeats",
    ]


def test_right_generators_are_not_called_wrong_by_chance():
    # p < 0.001 in five tests: so five runs give a false alarm in 2 % of cases; the seeds are fixed.
    outcomes = [one.outcome for seed in range(5) for one in found_in(independent, seed).values()]
    assert "wrong" not in outcomes and outcomes.count("unsure") <= 4


@pytest.mark.parametrize("seed", range(4))
def test_static_masks_of_ten_passes_are_not_called_wrong(seed: int):
    # 100 texts of about 15 tokens: 1,500 draws, however often each comes.
    found = found_in(static(seed), texts=TWICE[:100] * 10)
    assert (found["repeats"].said, found["repeats"].values["n"]) == ("static", 900)
    assert "wrong" not in {one.outcome for one in found.values()}, found
    assert 1_000 < found["rate"].values["of"] < 2_000


def test_in_short_texts_what_is_drawn_again_counts_again():
    # Of 7 tokens none is chosen in 32 % of the passes: left out as repeats, the rate were 19 %.
    short = [one[:8] for one in TWICE[:100]] * 10
    assert found_in(independent, texts=short)["rate"].said == "right"


# A generator, and what must be said: the check and its sentence. Others may follow from it.
WRONG = {
    "labels hold what the encoder sees": (relabelled(label_of_input), "labels", "label_is_input"),
    "labels are one token off": (relabelled(label_of_next), "labels", "label_shifted"),
    "labels everywhere": (labels_everywhere, "labels", "labels_everywhere"),
    "no labels": (relabelled(lambda *_: -100), "labels", "no_labels"),
    "labels only at [MASK]": (relabelled(label_at_mask), "unchosen", "labels_only_at_mask"),
    "labels only at [MASK], by rate": (relabelled(label_at_mask), "rate", "rate_only_mask"),
    "labels only where changed": (relabelled(label_where_changed), "branches", "only_changed"),
    "masks without labels": (masked_without_label, "unchosen", "mask_without_label"),
    "[MASK] in the original": (
        lambda tokens, rng: (independent(tokens, rng)[1],) * 2 + (independent(tokens, rng)[2],),
        "unchosen",
        "mask_in_tokens",
    ),
    "[SEP] is chosen": (
        lambda tokens, rng: at(tokens, drawn(tokens, rng, specials=("[PAD]",)), rng),
        "special",
        "special_chosen",
    ),
    "padding is chosen": (
        lambda tokens, rng: at(tokens, drawn(tokens, rng, specials=()), rng),
        "special",
        "padding_chosen",
    ),
    "80 % of the text": (
        lambda tokens, rng: at(tokens, drawn(tokens, rng, 0.8), rng),
        "rate",
        "rate_of_mask",
    ),
    "always [MASK]": (
        lambda tokens, rng: independent(tokens, rng, rates=(1, 0)),
        "branches",
        "always_mask",
    ),
    "never kept": (
        lambda tokens, rng: independent(tokens, rng, rates=(0.8, 0.2)),
        "branches",
        "never_kept",
    ),
    "never random": (
        lambda tokens, rng: independent(tokens, rng, rates=(0.8, 0)),
        "branches",
        "never_random",
    ),
    "a second draw of 10 %": (
        lambda tokens, rng: with_new_draws(tokens, rng, 0.1),
        "branches",
        "second_draw_kept",
    ),
    "a second draw of 90 %": (
        lambda tokens, rng: with_new_draws(tokens, rng, 0.9),
        "branches",
        "second_draw_random",
    ),
    "rates in another order": (
        lambda tokens, rng: independent(tokens, rng, rates=(0.1, 0.8)),
        "branches",
        "swapped_random",
    ),
    "other rates": (
        lambda tokens, rng: independent(tokens, rng, rates=(0.5, 0.3)),
        "branches",
        "other_branches",
    ),
    "one die a text": (one_die, "dice", "one_branch_a_text"),
    "special random words": (
        lambda tokens, rng: independent(tokens, rng, words=[*VOCABULARY[:20], *SPECIALS]),
        "words",
        "special_words",
    ),
    "one random word": (
        lambda tokens, rng: independent(tokens, rng, words=["word7"]),
        "words",
        "one_word",
    ),
    "random words of the text": (own_words, "words", "words_of_the_text"),
    "a seed in the function": (
        lambda tokens, rng: independent(tokens, Random(42)),
        "positions",
        "seeded_again",
    ),
    "the first tokens": (first_tokens, "positions", "by_position"),
    "two in each text": (
        lambda tokens, rng: at(tokens, sorted(rng.sample(free(tokens), 2)), rng),
        "positions",
        "same_count",
    ),
}
DIFFERENT = {
    "a fixed count": (fixed, "positions", "fixed_count"),
    "spans": (spans, "positions", "neighbours"),
    "static masks": (static(3), "repeats", "static"),
}


@pytest.mark.parametrize(("generate", "name", "said"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_named(generate: Generator, name: str, said: str):
    found = found_in(generate)
    assert (found[name].said, found[name].outcome) == (said, "wrong"), found


@pytest.mark.parametrize(("generate", "name", "said"), DIFFERENT.values(), ids=DIFFERENT)
def test_another_kind_of_generator_is_called_different_and_nothing_wrong(generate, name, said):
    found = found_in(generate)
    assert (found[name].said, found[name].outcome) == (said, "different")
    assert "wrong" not in {one.outcome for one in found.values()}, found


def test_the_first_line_of_a_fault_is_given():
    right = '{"tokens": ["a", "b"], "inputs": ["[MASK]", "b"], "labels": ["a", null]}'
    text = f"{right}\n\n{right}\n" + "[CLS] a b\t[CLS] x b\t-100 x -100"
    examples, *_ = read_output(text)
    labels = check_generator(count(examples))[1]
    assert (labels.said, labels.line) == ("label_is_input", 4)
    assert labels.values == {"n": 1, "of": 3, "token": "a", "seen": "x", "label": "x"}


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.15, "right"), (0.12, "rate_only_mask"), (0.0225, "rate_twice"), (0.8, "rate_of_mask"),
     (0.3, "rate_high"), (0.05, "rate_low"), (0.142, "rate_surprising")],
)  # fmt: skip
def test_a_share_of_chosen_tokens_is_explained(share: float, said: str):
    # 9,000 tokens: one standard deviation of the share is 0.0038 at 15 %.
    tokens, n = ("a",) * 9_000, round(9_000 * share)
    inputs = ("[MASK]",) * n + tokens[n:]
    one = Example(line=1, tokens=tokens, inputs=inputs, labels=("a",) * n + (None,) * (9_000 - n))
    found = check_rate(count([one]))
    assert found.said == said
    section = f"own_generator.{said if said != 'right' else 'right_rate'}"
    assert all(words.section(section, **found.values) for words in WORDS)


def test_our_own_corruptions_are_read_back_and_pass():
    text = tokenize(TOKENIZER, SENTENCE)
    rng, words = Random(1), random_words(TOKENIZER)
    mask = (role_id(TOKENIZER, "[MASK]"), "[MASK]")
    corruptions = [
        corrupt(text.tokens, roll(len(text.tokens), rng), CorruptionRule(), words, mask)
        for _ in range(200)
    ]
    examples, left_out, _ = read_output(write_output(corruptions))
    assert [one.inputs for one in examples] == [tuple(one.texts) for one in corruptions]
    assert not left_out
    assert "wrong" not in {one.outcome for one in check_generator(count(examples))}


LINES = {
    "broken_json": '{"tokens": ["a"], "inputs": ["a"], "labels": [-100]',
    "no_list": '{"tokens": ["a"], "inputs": "a", "labels": [-100]}',
    "other_lengths": '{"tokens": ["a", "b"], "inputs": ["a"], "labels": [-100]}',
    "no_tokens": '{"tokens": [], "inputs": [], "labels": []}',
    "ids": '{"tokens": [101], "inputs": [103], "labels": [101]}',
    "no_text": '{"tokens": [["a"]], "inputs": ["a"], "labels": [null]}',
    "other_columns": "[CLS] a\t[CLS] a",
}


def test_each_line_that_cannot_be_read_says_why_and_the_others_count():
    right = "[CLS] a\t[CLS] [MASK]\t-100 a"
    left_out = []
    for n, line in enumerate(LINES.values(), 1):
        examples, [one], n_left_out = read_output("\n".join([right, *[""] * n, line, right]))
        assert [each.line for each in examples] == [1, n + 3]
        assert (one.line, n_left_out) == (n + 2, 1)
        left_out.append(one)
    assert [one.reason for one in left_out] == [*LINES]
    assert left_out[2].values == {"n_tokens": 2, "n_inputs": 1, "n_labels": 1}
    for one, words in product(left_out, WORDS):
        assert str(one.line) in words.section(
            f"own_generator.left_{one.reason}", line=one.line, **one.values
        )


def test_of_many_lines_that_cannot_be_read_the_first_are_kept_and_all_counted():
    _, left_out, n_left_out = read_output("a\n" * 1_000)
    assert [one.line for one in left_out] == [1, 2, 3, 4, 5] and n_left_out == 1_000


def test_names_of_columns_and_a_json_list_are_understood():
    examples, *_ = read_output("tokens\tinputs\tlabels\na b\ta [MASK]\t-100 b")
    assert examples[0].labels == (None, "b") and examples[0].line == 2
    one = {"tokens": ["a"], "inputs": ["[MASK]"], "labels": ["a"]}
    examples, left_out, _ = read_output(json.dumps([one, 7, one], indent=1))
    assert [each.line for each in examples] == [1, 3]
    assert [each.reason for each in left_out] == ["no_object"]


@pytest.mark.parametrize("text", [*TEXTS.values(), "[" * 9_999, '{"a":' * 9_999, "9" * 9_999])
def test_no_text_brings_the_reader_down(text: str):
    for line in (text, f"{text}\t{text}\t{text}", json.dumps({"tokens": [text], "inputs": [text]})):
        examples, left_out, _ = read_output(line)
        assert examples or left_out or not line.strip()


def test_special_tokens_alone_are_refused():
    examples, *_ = read_output("[CLS] [SEP]\t[CLS] [SEP]\t-100 -100")
    with pytest.raises(ValueError, match="no ordinary token"):
        check_generator(count(examples))


def test_an_interval_by_hand():
    # Wilson, n = 10, share 0.5: (0.5 + 0.192 ± 1.96 √(0.025 + 0.0096)) / 1.384
    assert interval_of_proportion(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert interval_of_proportion(0, 10)[0] == 0
