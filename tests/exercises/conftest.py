"""What every answer is judged by is read once for all of these tests: the core keeps nothing."""

from collections.abc import Iterator
from functools import cache

import pytest

from mlm_core.embeddings import senses_data
from mlm_core.exercises import subword_tokens, word_senses
from mlm_core.exercises.tasks import own_sense_sentences, own_words
from mlm_core.text import corpora

READ_ONCE = {
    cache(corpora.sentences): (corpora,),
    cache(own_words.our_words): (own_words, subword_tokens),
    cache(own_words.frequent_words): (own_words, own_sense_sentences),
    cache(senses_data.stored_word): (senses_data, word_senses, own_sense_sentences),
}


@pytest.fixture(autouse=True, scope="module")
def read_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for function, modules in READ_ONCE.items():
            for module in modules:
                patch.setattr(module, function.__name__, function)
        yield
