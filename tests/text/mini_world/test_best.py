"""The best possible prediction: by hand, against counting, and never beaten."""

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random

import pytest

from mlm_core.text.mini_world.best import MASK, ChannelRates, ShownText, WorldReader
from mlm_core.text.mini_world.floor import CorruptedText, word_probabilities
from mlm_core.text.mini_world.world import WorldDocument, world, write_documents


def corrupted_texts(
    documents: Sequence[WorldDocument],
    n: int,
    shares: Mapping[str, float],
    rng: Random,
    *,
    single_rate: float = 0.5,
    mlm_probability: float = 0.15,
) -> tuple[CorruptedText, ...]:
    """Return `n` texts drawn from `documents` and corrupted, as the pretraining does it.

    `single_rate` of them are one sentence, the others a pair. [CLS] and [SEP] count when 15 %
    are taken, as in BERT, but are never chosen.
    """
    rates = ChannelRates()
    vocabulary, cumulated = list(shares), list(accumulate(shares.values()))
    texts = []
    for _ in range(n):
        a, b, follows = draw_text(documents, rng, single_rate, rates)
        n_real = len(a) + len(b) + (3 if b else 2)
        n_chosen = min(len(a) + len(b), max(1, round(n_real * mlm_probability)))
        chosen = sorted(rng.sample(range(len(a) + len(b)), n_chosen))
        shown: list[str | None] = [*a, *b]
        for i in chosen:
            die = rng.random()
            if die < rates.mask_rate:
                shown[i] = MASK
            elif die < rates.mask_rate + rates.random_rate:
                shown[i] = rng.choices(vocabulary, cum_weights=cumulated)[0]
        text = ShownText(a=tuple(shown[: len(a)]), b=tuple(shown[len(a) :]), chosen=tuple(chosen))
        texts.append(CorruptedText(shown=text, words=a + b, follows=follows))
    return tuple(texts)


def draw_text(
    documents: Sequence[WorldDocument], rng: Random, single_rate: float, rates: ChannelRates
) -> tuple[tuple[str, ...], tuple[str, ...], bool | None]:
    """Return A, B and whether B follows; all sentences with a next one are equally likely."""
    n_starts = [len(document.sentences) - 1 for document in documents]
    first, other = rng.choices(range(len(documents)), n_starts, k=2)
    start = rng.randrange(n_starts[first])
    a = documents[first].sentences[start].words
    if rng.random() < single_rate:
        return (a[:-1] if rng.random() < rates.no_stop_rate else a), (), None
    if rng.random() < rates.follows_rate:
        return a, documents[first].sentences[start + 1].words, True
    while other == first:
        other = rng.choices(range(len(documents)), n_starts)[0]
    return a, documents[other].sentences[1 + rng.randrange(n_starts[other])].words, False


@pytest.fixture(scope="module")
def shares():
    return word_probabilities(world("train"))


@pytest.fixture(scope="module")
def reader(shares):
    return WorldReader(shares)


@pytest.fixture(scope="module")
def fresh():
    return write_documents(Random(11), 2500)


@pytest.fixture(scope="module")
def texts(fresh, shares):
    return corrupted_texts(fresh, 1200, shares, Random(12))


def shown(line, pair="", chosen=()):
    """Return a text as it is shown; "_" is a masked word."""
    a, b = (tuple(MASK if word == "_" else word for word in part.split()) for part in (line, pair))
    masked = {i for i, word in enumerate(a + b) if word is MASK}
    return ShownText(a=a, b=b, chosen=tuple(sorted(masked | set(chosen))))


def test_one_word_is_possible_where_the_grammar_leaves_no_choice(reader):
    best = reader.predict(shown("She cleans _ mouse with a soft cloth ."))
    assert best.words == {2: {"her": pytest.approx(1.0)}}
    assert best.follows is None


def test_what_a_names_is_named_again_in_b(reader):
    first = "Leo wants to catch a trout in the river ."
    best = reader.predict(shown(first, "His uncle looks for a _ in the cold _ ."))
    assert best.follows > 0.99
    assert best.words[15]["trout"] > 0.98
    assert best.words[19]["river"] > 0.98


def test_a_later_step_of_another_document_can_not_follow(reader):
    first = "Leo wants to catch a trout in the river ."
    best = reader.predict(shown(first, "_ eats the _ with his uncle on the bank ."))
    assert best.follows == 0.0


def test_equal_choices_get_equal_shares(reader):
    best = reader.predict(shown("The mouse eats _ with its sharp teeth ."))
    assert best.words[3] == pytest.approx({"cheese": 1 / 3, "corn": 1 / 3, "bread": 1 / 3})


def test_a_word_that_may_be_kept_or_random_worked_by_hand():
    # One flower of four, each as likely before. Shown: "lilies", which is drawn at random with
    # 0.2. So lilies weigh 0.1 + 0.1 * 0.2, each other flower 0.1 * 0.2: 0.12 of 0.18.
    reader = WorldReader({"lilies": 0.2, "the": 0.8})
    text = shown("The first lilies of spring open in the rain .", chosen=(2,))
    words = reader.predict(text).words[2]
    assert words["lilies"] == pytest.approx(2 / 3)
    assert words["roses"] == words["tulips"] == words["daisies"] == pytest.approx(1 / 9)


def test_a_text_without_its_final_stop_is_understood(reader):
    assert reader.predict(shown("She cleans _ mouse with a soft cloth")).words[2]["her"] == 1.0
    never = WorldReader({}, ChannelRates(no_stop_rate=0.0))
    with pytest.raises(ValueError, match="has no such text"):
        never.predict(shown("She cleans _ mouse with a soft cloth"))


def test_all_probabilities_sum_to_one(reader, texts):
    for text in texts:
        best = reader.predict(text.shown)
        assert set(best.words) == set(text.shown.chosen)
        for words in best.words.values():
            assert math.fsum(words.values()) == pytest.approx(1)
        assert best.follows is None or 0 <= best.follows <= 1


@pytest.mark.parametrize(
    "line",
    [
        "_ bank _ _ _ _ _ _ .",
        "_ _ _ _ _ _ _ bank .",
        "_ mouse _ _ _ _ _ _ .",
        "_ the _ _ _ _ _ _ _ .",
        "_ _ spring _ _ _ _ _ .",
    ],
)
def test_the_probabilities_are_the_shares_counted_in_the_generators_sentences(reader, fresh, line):
    # What a word's share is among all sentences that match what is seen. The count of n matches
    # is binomial, so 4.5 standard errors (and one count) hold with 1 - 7e-6 for each word.
    pattern = line.split()
    hidden = [i for i, word in enumerate(pattern) if word == "_"]
    matches = [
        sentence.words
        for document in fresh
        for sentence in document.sentences[:-1]
        if len(sentence.words) == len(pattern)
        and all(i in hidden or sentence.words[i] == word for i, word in enumerate(pattern))
    ]
    assert len(matches) > 20
    best = reader.predict(shown(line))
    n = len(matches)
    for i in hidden:
        counted = {words[i] for words in matches}
        assert counted <= set(best.words[i])
        for word, share in best.words[i].items():
            count = sum(words[i] == word for words in matches)
            assert abs(count - n * share) <= 1 + 4.5 * math.sqrt(n * share * (1 - share)), word


def test_its_loss_is_as_high_as_it_expects(reader, texts):
    # -log P(the word that stood there) has mean H, the entropy of P, if P is right. Guesses in
    # one text hang together, so as above: 4 times twice the independent standard error.
    surprise, variance = 0.0, 0.0
    for text in texts:
        for i, words in reader.predict(text.shown).words.items():
            likely = [p for p in words.values() if p > 0]
            entropy = -math.fsum(p * math.log(p) for p in likely)
            surprise += -math.log(words[text.words[i]]) - entropy
            variance += math.fsum(p * (math.log(p) + entropy) ** 2 for p in likely)
    assert abs(surprise) < 4 * 2 * math.sqrt(variance)


@pytest.mark.parametrize(
    ("a", "chosen"), [((), ()), (("The", MASK, "."), ()), (("The", MASK, "."), (1, 3))]
)
def test_what_no_corruption_gives_is_refused(a, chosen):
    with pytest.raises(ValueError, match="choose every masked position"):
        ShownText(a=a, chosen=chosen)


def test_a_text_of_another_world_is_refused(reader):
    with pytest.raises(ValueError, match="the mini world has no such text"):
        reader.predict(shown("The stock market _ again ."))
