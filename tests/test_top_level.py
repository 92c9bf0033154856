"""What `import mlm_core` offers: light to import, and the everyday calls of a notebook."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import mlm_core
from mlm_core.embeddings.isotropy import pair_cosines, random_pairs, sample_words
from mlm_core.embeddings.senses_data import stored_word
from mlm_core.encoder.language_model import OwnModel
from mlm_core.labelled.conll import stored_entities, write_conll
from mlm_core.notebook import Trained
from mlm_core.prediction.masked_words import labels_of, predict
from tests.notebook_cells import run

ROOT = Path(__file__).parents[1]
TEXT = "They crossed the [MASK] by boat."
ANIMALS = ("dog", "cat", "hen", "fox", "cow", "owl", "rat", "pig", "bee", "ant")
BANK = ["We sat on the bank of the river.", "The bank lent us money."]


@pytest.fixture(scope="module")
def model() -> OwnModel:
    return mlm_core.load()


@pytest.fixture(scope="module")
def small() -> Trained:
    return mlm_core.train_small_encoder(
        n_steps=3, n_layers=1, hidden_size=8, n_heads=2, objective="mlm", own_text=own_text()
    )


@pytest.fixture(scope="module")
def tagger(model: OwnModel) -> Trained:
    # 40 examples seen often, all of them in one batch or two: enough to find some entities.
    return mlm_core.fine_tune(model, "own_tags", own_data=own_tags(), trained="head", n_epochs=40)


def own_text() -> str:
    return "\n".join(
        f"The {animal} sees the {other} in the garden." for animal in ANIMALS for other in ANIMALS
    )


def own_tags() -> str:
    return write_conll(stored_entities().train[:60])


def test_importing_the_package_imports_nothing_but_python():
    code = "import sys, mlm_core; print(*{name.split('.')[0] for name in sys.modules})"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    imported = set(ran.stdout.split())
    assert "mlm_core" in imported
    assert not imported & {"torch", "numpy", "tokenizers", "jaxtyping", "transformers"}


def test_type_checkers_see_the_names_that_are_offered():
    tree = ast.parse((ROOT / "mlm_core/__init__.py").read_text(encoding="utf-8"))
    (guard,) = [node for node in tree.body if isinstance(node, ast.If)]
    homes = {name.name: node.module for node in guard.body for name in node.names}
    assert sorted(homes) == sorted(mlm_core.__all__)
    for name, home in homes.items():
        assert getattr(mlm_core, name) is getattr(importlib.import_module(home), name)


def test_a_name_that_is_not_offered_says_what_is():
    with pytest.raises(AttributeError, match=r"no attribute 'laod': it offers .*load"):
        mlm_core.laod  # noqa: B018
    from mlm_core import encoder  # a folder still is one

    assert encoder.__name__ == "mlm_core.encoder"


def test_a_filled_blank_prints_tokens_and_probabilities(model: OwnModel):
    filled = mlm_core.fill_mask(model, TEXT, n=2)
    first, second = filled.guesses
    assert first.token == "river" and first.probability > second.probability
    assert repr(filled).splitlines()[:2] == [TEXT, "  position 4"]
    assert f"    {first.probability:.3f}  river" in repr(filled)
    assert len(mlm_core.fill_mask(model, "[MASK] and [MASK]").blanks) == 2


def test_the_guide_prints_what_it_says():
    section = (ROOT / "docs/guide.md").read_text(encoding="utf-8").split("## In a notebook")[1]
    code, printed = re.search(r"```python\n(.*?)```.*?```\n(.*?)```", section, re.DOTALL).groups()
    *before, last = run([code])
    assert not before and f"{last!r}\n" == printed


def test_a_text_without_a_blank_is_refused(model: OwnModel):
    with pytest.raises(ValueError, match=r"no \[MASK\] in 'No blank': write \[MASK\]"):
        mlm_core.fill_mask(model, "No blank")


def test_an_encoding_has_all_weights_and_sums_to_one(model: OwnModel):
    text = mlm_core.tokenize(model, BANK[0])
    encoding = mlm_core.encode(model, text)
    assert len(encoding.states) == len(encoding.weights) + 1 == model.n_layers + 1
    assert encoding.weights[0].shape == (1, model.n_heads, len(text.ids), len(text.ids))
    assert encoding.weights[0].sum(dim=-1).sub(1).abs().max() < 1e-5
    assert mlm_core.encode(model, BANK[0]).last.equal(encoding.last)
    assert mlm_core.encode(model, text, causal=True).weights[0][..., 0, 1:].sum() == 0


def test_the_same_random_generator_corrupts_alike(model: OwnModel):
    first = mlm_core.corrupt(model, BANK[0], Random(3))
    assert first == mlm_core.corrupt(model, BANK[0], Random(3))
    all_masked = mlm_core.CorruptionRule(
        mlm_probability=0.5, mask_rate=1.0, random_rate=0.0, keep_rate=0.0
    )
    texts = mlm_core.corrupt(model, BANK[0], Random(3), all_masked).texts
    assert texts.count("[MASK]") == round(0.5 * len(texts))


def test_word_vectors_are_those_of_the_marked_word(model: OwnModel):
    vectors = mlm_core.word_vectors(model, BANK, "bank")
    position = mlm_core.tokenize(model, BANK[1]).texts.index("bank")
    alone = mlm_core.encode(model, BANK[1]).states[5][0, position]
    assert vectors.at(5)[1].sub(alone).abs().max() < 1e-4
    marked = mlm_core.word_vectors(model, stored_word("bank").sentences[:2])
    assert marked.states.shape == (model.n_layers + 1, 2, model.hidden_size)
    with pytest.raises(ValueError, match="no word to look for"):
        mlm_core.word_vectors(model, BANK)


def test_the_nearest_sense_comes_first(model: OwnModel):
    senses = mlm_core.nearest_sense(model, "bank", "He rowed the boat to the muddy bank.")
    assert next(iter(senses)) == "river"
    assert sorted(senses.values(), reverse=True) == list(senses.values())
    assert sorted(senses) == sorted(sense.name for sense in stored_word("bank").senses)


def test_a_small_encoder_comes_with_its_record(small: Trained):
    assert small.snapshot.phase == "finished" and small.model.hidden_size == 8
    assert mlm_core.encode(small.model, "The dog sees the cat.").last.shape[-1] == 8


def test_each_piece_of_work_is_told():
    seen = []
    settings = {"n_layers": 1, "hidden_size": 8, "n_heads": 2, "objective": "mlm"}
    mlm_core.train_small_encoder(
        on_snapshot=seen.append, n_steps=2, own_text=own_text(), **settings
    )
    assert {snapshot.step for snapshot in seen} == {0, 1, 2}


def test_a_tagger_tags_text_and_words_legally(tagger: Trained):
    from_text = mlm_core.tag(tagger.model, "Jane Villanueva flew to Chicago.")
    assert from_text.words == ("Jane", "Villanueva", "flew", "to", "Chicago", ".")
    assert from_text == mlm_core.tag(tagger.model, from_text.words)
    assert len(from_text.tags) == len(from_text.probabilities) == len(from_text.words)
    examples = tagger.snapshot.dataset.test
    found = [mlm_core.tag(tagger.model, example.words) for example in examples]
    for one in found:
        for before, after in zip(("O", *one.tags), one.tags, strict=False):
            assert not after.startswith("I-") or before[1:] == after[1:]
    greedy = [mlm_core.tag(tagger.model, e.words, decoding="greedy") for e in examples]
    # The run scores what greedy decoding finds.
    scores = mlm_core.score_entities([e.spans for e in examples], [one.spans for one in greedy])
    assert scores.micro.f1 == pytest.approx(tagger.snapshot.result.f1)
    assert scores.micro.f1 > 0


def test_only_a_tagger_tags(model: OwnModel, tagger: Trained):
    classes = "\n".join(f"{'good' if i % 2 else 'bad'}\tSentence number {i}." for i in range(16))
    judge = mlm_core.fine_tune(model, "own_classes", own_data=classes, trained="head", n_epochs=1)
    with pytest.raises(ValueError, match="fine-tuned on classes: tag with a tagger"):
        mlm_core.tag(judge.model, "A text")
    with pytest.raises(ValueError, match="no word to tag"):
        mlm_core.tag(tagger.model, "")


def test_an_explanation_has_the_ranks_and_a_line_for_each_word(model: OwnModel):
    explained = mlm_core.explain(model, "He played the [MASK] in an orchestra.", layer=3)
    lines = repr(explained).splitlines()
    assert re.fullmatch(r"  \w+ 0\.\d\d, rank by layer( \d+){12} 1", lines[1])
    assert "attention in layer 3" in lines[2] and len(lines) == 3 + 7
    assert lines[-2].split()[:2] == ["orchestra", f"{explained.occlusion[-2]:+.2f}"]
    with pytest.raises(ValueError, match="0 blanks: write"):
        mlm_core.explain(model, "He played.")


def test_every_result_prints_short(model: OwnModel, small: Trained, tagger: Trained):
    long_text = "The river had been rising since midnight, and nobody slept. " * 8
    text = mlm_core.tokenize(model, long_text)
    encoding = mlm_core.encode(model, text)
    vectors = mlm_core.word_vectors(model, BANK * 20, "bank")
    words = sample_words(BANK, 6, Random(1))
    pairs = random_pairs(words.sentence_numbers, 50, Random(1))
    explained = mlm_core.explain(model, "It [MASK] all day.")
    results = [
        *(model, text, encoding, encoding.attention[0], vectors, words),
        *(mlm_core.fill_mask(model, TEXT), mlm_core.fill_mask(model, TEXT).blanks[0]),
        *(mlm_core.corrupt(model, text, Random(1)), stored_word("bank")),
        *(explained, explained.lens, explained.lens.rows[0], explained.gradients),
        mlm_core.nearest_sense(model, "bank", BANK[0]),
        pair_cosines(mlm_core.word_vectors(model, words.words).at(5), pairs),
        predict(model, text, labels_of(text.ids, {1, 2})),
        *(small, small.model, small.snapshot, small.snapshot.checkpoints[0]),
        *(tagger, tagger.model, tagger.snapshot, tagger.snapshot.dataset),
        *(tagger.snapshot.predictions, tagger.snapshot.weights),
        mlm_core.tag(tagger.model, "Jane flew to Chicago."),
        mlm_core.score_entities([()], [()]),
    ]
    for result in results:
        assert len(repr(result)) <= 500, repr(result)
        assert " object at 0x" not in repr(result)
    assert f"states=13 × float32[1, {len(text.ids)}, 256]" in repr(encoding)
