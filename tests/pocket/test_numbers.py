"""What the file computes is what mlm_core computes: tokens, probabilities, attention, draws."""

import json
from random import Random

import pytest
import torch

from bench import pocket_bits
from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.attribution import occlusion, words_around
from mlm_core.inside.lens import lens
from mlm_core.inside.quantized import quantize
from mlm_core.masking.random_words import random_words, unigram_counts
from mlm_core.masking.rule import CorruptionRule, count_to_choose
from mlm_core.masking.steps import corrupt, moves, roll
from mlm_core.prediction.masked_words import hide
from mlm_core.prediction.unmasking import unmask
from mlm_core.text import corpora
from mlm_core.text.tokens import role_id, tokenize
from pocket.build import EIGHT_BITS, FOLDER, FULL_BITS
from tests.hostile import TEXTS

N_SENTENCES, N_WORDS = 200, 4
# Both add products in another order. In float32 that changes a logit by some 1e-5, and so a
# probability of 0.5 by half of that: the largest of 400 measured differences was 7e-6.
CLOSE = 1e-5

IDS = "texts => texts.map(text => unmask.tokenizer.tokenize(text).map(token => token.id))"
# The worker computes while the core does; FOUND waits for it.
FILL = """cases => {
  window.found = Promise.all(cases.map(([ids, position]) =>
    unmask.ask("fill", { ids, positions: [position], n: 5 })));
  return null;
}"""
FOUND = "async () => (await window.found).map(([{ best }]) => best)"


def sentences(language: str) -> list[str]:
    """Return 200 of our sentences."""
    return list(dict.fromkeys(corpora.sentences(language)))[:N_SENTENCES]


def beginning(text: str, k: int) -> str:
    """Return a text's first words, so that 200 take seconds; every twentieth text is whole."""
    return text if k % 20 == 0 else " ".join(text.split()[:N_WORDS])


def assert_likeliest_of(model, texts: list[str], tab) -> None:
    """Compare the five likeliest words at one token of each text, at another position each time.

    Two that are as likely may change places.
    """
    seen, positions = [], []
    for k, text in enumerate(tokenize(model.tokenizer, text) for text in texts):
        positions.append([1 + k % (len(text.ids) - 2)])
        seen.append(hide(text, positions[-1], model.tokenizer))
    tab.evaluate(FILL, [(text.ids, at) for text, [at] in zip(seen, positions, strict=True)])
    states = model.states_at(seen, model.n_layers, torch.tensor(positions))
    probabilities = model.logits_of_states(states[:, 0]).softmax(-1)
    found = tab.evaluate(FOUND)
    ids = torch.tensor([[word["id"] for word in words] for words in found])
    theirs = torch.tensor([[word["probability"] for word in words] for words in found])
    for ours in (probabilities.topk(5).values, probabilities.gather(1, ids)):
        torch.testing.assert_close(theirs, ours, atol=CLOSE, rtol=0)


@pytest.mark.parametrize("language", READERS)
def test_tokens_and_likeliest_words_are_those_of_the_core(opened, language: str):
    model, texts = load(READERS[language]), sentences(language)
    tab = opened(language, FULL_BITS)
    assert tab.evaluate(IDS, texts) == [tokenize(model.tokenizer, text).ids for text in texts]
    assert_likeliest_of(model, [beginning(text, k) for k, text in enumerate(texts)], tab)


def test_in_8_bits_the_file_is_the_quantized_model_of_the_core(opened):
    assert_likeliest_of(quantize(load(), EIGHT_BITS), sentences("en")[:9], opened("en"))


def test_what_8_bits_change_is_as_the_page_says():
    said = json.loads((FOLDER / "measured.json").read_text(encoding="utf-8"))["mini-bert"]
    assert pocket_bits.measure("en") == pytest.approx(said, abs=1e-4)


def test_hostile_texts_are_cut_as_by_the_tokenizer(opened, bundled):
    # A lone half of a surrogate pair does not get through Playwright.
    texts = [text for text in TEXTS.values() if "\ud800" not in text]
    texts += [
        "[MASK] [CLS]x",
        "naïve Ünïcode",
        "我们在银行",
        "a\u00adb\u200bc",
        "x" * 101,
        "$5+3^2",
    ]
    expected = [tokenize(bundled.tokenizer, text).ids for text in texts]
    assert opened("en").evaluate(IDS, texts) == expected


def test_attention_states_lens_occlusion_and_writing_are_those_of_the_core(opened):
    model = load()
    text = tokenize(model.tokenizer, "The cat sat on the [MASK] and slept well.")
    ids, at = text.ids, text.texts.index("[MASK]")
    tab = opened("en", FULL_BITS)

    def asked(question: str, **about):
        answers = "Array.from(answer, (each) => Array.from(each))"
        return tab.evaluate(
            f"async ([question, about]) => {{ const answer = await unmask.ask(question, about);"
            f" return question === 'lens' ? answer : {answers}; }}",
            [question, about],
        )

    for causal in (False, True):
        encoding = model.encode(text, causal=causal, record=True)
        found = torch.tensor(asked("attention", ids=ids, causal=causal))
        found = found.view(12, 4, len(ids), len(ids))
        torch.testing.assert_close(found.sum(-1), torch.ones(found.shape[:-1]))
        expected = torch.cat(encoding.weights)
        torch.testing.assert_close(found, expected, atol=CLOSE, rtol=0)
        states = torch.tensor(asked("states", ids=ids, position=3, causal=causal))
        expected = torch.stack([state[0, 3] for state in encoding.states])
        torch.testing.assert_close(states, expected, atol=1e-4, rtol=0)
    assert (found.triu(1) == 0).all()  # the causal mask was the last
    longer = asked("states", ids=[*ids[:4], 99, 77, ids[-1]], position=3, causal=True)
    torch.testing.assert_close(torch.tensor(longer), states)  # what comes later changes nothing

    read = lens(model, text)
    layers = asked("lens", ids=ids, position=at, n=3, others=[read.answer.id])
    assert [layer["others"][0]["rank"] for layer in layers] == list(read.ranks)
    tab.evaluate(FILL, [(ids, at)])
    last = tab.evaluate(FOUND)[0][:3]
    assert layers[-1]["best"] == last
    moves_found = tab.evaluate(
        """async ([ids, blank, words, answer]) => {
          const moves = [];
          for await (const move of unmask.occlusion(ids, blank, words, answer)) moves.push(move);
          return moves;
        }""",
        [ids, at, [word.positions for word in words_around(model, text)], last[0]],
    )
    expected = occlusion(model, text, read.answer.id)
    torch.testing.assert_close(torch.tensor(moves_found), torch.tensor(expected), atol=1e-4, rtol=0)

    text = hide(text, range(4, 9), model.tokenizer)
    steps = list(unmask(model, text, 3, "most_certain_first", Random(0)))
    written = tab.evaluate(
        """async (ids) => {
          const steps = [];
          for await (const step of unmask.unmask(ids, 3)) steps.push(step.ids);
          return steps;
        }""",
        text.ids,
    )
    assert written == [step.after.ids for step in steps]


@pytest.mark.parametrize("language", READERS)
def test_draws_of_80_10_10_are_those_of_python(opened, language: str):
    tokenizer = load(READERS[language]).tokenizer
    text = tokenize(tokenizer, sentences(language)[2])
    words = random_words(tokenizer, unigram_counts(tokenizer, corpora.sentences(language)))
    mask = role_id(tokenizer, "[MASK]"), "[MASK]"
    seeds = [0, 1, 5419, 9999, *range(40, 52)]
    found = opened(language).evaluate(
        """([text, seeds]) => seeds.map((seed) => {
          const tokens = unmask.tokenizer.tokenize(text);
          const { rolls, chosen, replaced, moves } = unmask.corruptionOf(tokens, seed);
          return [rolls.map(Object.values), chosen, chosen.map((i) => replaced.get(i).id), moves];
        })""",
        [text.text, seeds],
    )
    for seed, (rolls, chosen, replaced, made) in zip(seeds, found, strict=True):
        drawn = roll(len(text.tokens), Random(seed))
        assert rolls == [list(one) for one in drawn]
        expected = corrupt(text.tokens, drawn, CorruptionRule(), words, mask)
        assert chosen == list(expected.choice.positions)
        assert replaced == [expected.replacements[i].id for i in chosen]
        pairs = [(move, None) if at is None else (move, at) for move, at in moves(expected)]
        assert [(one[0], one[1] if len(one) > 1 else None) for one in made] == pairs


def test_an_exact_half_is_rounded_as_in_python(opened):
    counts = opened("en").evaluate(
        "() => [...Array(80).keys()].map((n) => unmask.countToChoose(n))"
    )
    assert counts == [count_to_choose(n, CorruptionRule().mlm_probability) for n in range(80)]
