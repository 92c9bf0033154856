"""The stored results of patching: of our pairs, as the models are now."""

from collections import Counter

import pytest

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.patching import follow, pair_of, way_of
from mlm_core.stored.patched_pairs import read_patched, read_sentences
from mlm_core.text.tokens import tokenize


@pytest.mark.parametrize("language", READERS)
def test_they_are_of_our_pairs_and_what_the_model_has_now(language: str):
    stored, model = read_patched(language), load(READERS[language])
    assert [(one.kind, one.clean, one.corrupted) for one in stored] == [
        (row["kind"], row["clean"], row["corrupted"]) for row in read_sentences(language)
    ]
    for one in (stored[0], stored[-1]):
        texts = (tokenize(model.tokenizer, text) for text in (one.clean, one.corrupted))
        pair = pair_of(model.tokenizer, *texts)
        followed = follow(model, pair)
        assert [model.tokenizer.id_to_token(id_) for id_ in followed.answers] == one.answers
        assert way_of(followed.closed, pair.word, pair.blank) == one.way


def test_there_are_as_many_of_each_kind():
    kinds = ("number", "gender", "capital", "tense", "negation")
    assert Counter(one.kind for one in read_patched("en")) == dict.fromkeys(kinds, 4)
    assert Counter(one.kind for one in read_patched("de")) == dict.fromkeys(("case", "gender"), 5)
