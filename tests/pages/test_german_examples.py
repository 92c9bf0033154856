"""What the German examples show with the model that reads them is what the words beside say."""

from mlm_core.encoder.comparison import compare_word, shared_words
from mlm_core.encoder.model_list import READERS
from mlm_core.text.tokens import tokenize
from pages.shared.caches import cache
from pages.shared.course.words import read_words

MODEL = READERS["de"]


def example(slug: str, name: str) -> str:
    return read_words(slug, "de").plain(f"default_{name}")


def test_frequent_words_are_whole_and_rare_ones_are_split():
    cut = tokenize(cache.model_tokenizer(MODEL), example("subword_tokens", "text"))
    split = [word.text for word in cut.words if len(word.positions) > 1]
    assert split == ["unermesslich", "flumpig", "gemütlich"] and "[UNK]" not in cut.texts


def test_a_word_after_equal_beginnings_has_the_same_vectors_with_the_causal_mask_alone():
    cosines = {}
    for causal in (True, False):
        texts, encodings = zip(
            *(
                cache.encoding(MODEL, example("attention_mask", name), causal)
                for name in ("first", "second")
            ),
            strict=True,
        )
        word = next(one for one in shared_words(*texts) if one.text == "Bank")
        cosines[causal] = compare_word(*encodings, word).cosines[-1]
    assert cosines[True] > 0.9999 and cosines[False] < 0.95
