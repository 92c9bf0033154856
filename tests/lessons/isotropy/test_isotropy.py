"""The lesson "isotropy", run whole, without a browser; with few words (tests/caches.py)."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest
import torch
from torch.nn.functional import cosine_similarity

from mlm_core.embeddings.frequency import score_bands
from mlm_core.embeddings.isotropy import dimension_proportions
from mlm_core.embeddings.locating import find_word
from pages.lessons.isotropy import computed as isotropy_computed
from pages.lessons.isotropy import pool, setting
from pages.lessons.isotropy.computed import CorpusKey
from pages.server.caches import cache, cache_senses
from pages.server.upkeep import housekeeping
from tests import seen
from tests.lessons.german import MODEL, example
from tests.seen import captions_of, guess, html_of, sent_to, words_of

FILE = "pages/8_isotropy.py"
SIXTY_WORDS = " ".join(f"Der Wind Nummer {n} weht über Berg und Tal." for n in range(8))


open_part = partial(seen.open_part, "isotropy")


def test_the_opening_shows_a_cosine_before_anyone_clicks(open_warm_page):
    app = open_warm_page(FILE)
    assert 0.2 < float(app.metric[0].value) < 1  # two unrelated words
    assert '-isotropy_pair"' in sent_to(app) and '-isotropy_random"' not in sent_to(app)
    assert max(behind_curtains(app)) > 20, "the pairs are there, without a number"


def behind_curtains(app) -> list[int]:
    """Return how many bars each curtain hides; none has a word or a number to read."""
    curtains = re.findall(r'<div class="curtain[^>]*>(.*?)</div>', html_of(app))
    assert not any(re.sub("<[^>]*>", "", one) for one in curtains)
    return [one.count("<i ") for one in curtains]


def test_the_histogram_answers_a_guess_and_marks_the_pair(open_warm_page):
    app = open_warm_page(FILE)
    app.slider(key="isotropy_guess").set_value(0.2).run()
    app.button(key="isotropy_reveal").click().run()
    html, said = sent_to(app), words_of(app)
    assert "your pair" in html and "your guess 0.20" in html
    mean = float(re.search(r"layer 12 is \*\*([\d.]+)\*\*.*; you said 0.2", said)[1])
    assert mean > 0.2 and "not isotropic" in said
    shown = float(app.metric[0].value)
    assert f"your pair {shown:.2f}" in html


def test_a_sentence_without_the_chosen_word_has_its_longest_and_a_click_another(open_warm_page):
    app = open_warm_page(FILE)
    app.text_input(key="isotropy_first").set_value("The old violin and the bow.").run()
    assert "“violin” and “verse”" in app.metric[0].label
    assert app.query_params["isotropy_first_word"] == "violin"
    app = open_warm_page(FILE, isotropy_first_word="door", isotropy_second_word="the")
    assert "“door” and “the”" in app.metric[0].label


def test_the_second_of_two_places_of_a_word_can_be_chosen():
    text = "The old and the new."
    assert setting.marked_word(text, "the").start == 0
    assert setting.marked_word(text, "the@1").start == 12
    assert setting.marked_word(text, "the@9").start == 12
    assert setting.marked_word("Mail me@5 now.", "me").start == 5
    assert setting.marked_word(text, "zebra") is None and setting.marked_word(text, " ") is None


def test_the_number_of_the_opening_is_z_scored_by_one_press(open_warm_page):
    app = open_warm_page(FILE)
    raw = float(app.metric[0].value)
    app.button_group(key="isotropy_vectors").set_value("z-scored").run()
    z = float(app.metric[0].value.replace("−", "-"))
    assert abs(z) < raw / 2 and not app.exception
    app.button(key="isotropy_reveal").click().run()
    assert "near 0 by construction" in words_of(app)


def test_the_pair_and_the_layer_of_the_opening_are_those_of_the_parts(open_warm_page):
    pair = {
        "isotropy_first": "She tuned her old violin.",
        "isotropy_first_word": "violin",
        "isotropy_opening_layer": "5",
    }
    app = guess(open_part(open_warm_page, "dimensions", **pair), "isotropy_half_guess", "3")
    assert "“violin” and “verse”" in words_of(app) and "1 violin" in sent_to(app)
    assert app.select_slider(key="isotropy_layer").value == "5"
    app = open_part(open_warm_page, "layers", **pair)
    assert "your pair" in sent_to(app)


def test_few_dimensions_make_up_half_which_is_seen_after_a_guess(open_warm_page):
    app = open_part(open_warm_page, "dimensions")
    assert "make up half of it" not in words_of(app)
    app = guess(app, "isotropy_half_guess", "50")
    n_half = int(re.search(r"\*\*(\d+)\*\* of 256", words_of(app))[1])
    assert n_half <= 10


def test_a_large_dimension_is_compared_with_the_median_of_its_layer(open_warm_page):
    for layer in ("12", "6"):
        said = words_of(open_part(open_warm_page, "formula", isotropy_layer=layer))
        [(deviation, median, side)] = re.findall(
            r"deviation ([\d.]+) \(median: ([\d.]+)\).*deviation is (above|below) the", said
        )
        assert side == ("above" if float(deviation) >= float(median) else "below")


def test_the_equations_end_in_the_z_of_their_own_numbers(open_warm_page):
    app = open_part(open_warm_page, "formula", isotropy_formula_dimension="9")
    number = r"\(?(-?[\d.e-]+)\)?"
    line = app.latex[2].value
    x, mean, deviation, z = map(
        float,
        re.search(rf"frac{{{number} - {number}}}{{{number}}} = {number} ", line).groups(),
    )
    # The numbers are written with four digits, so their difference has an error of 0.001.
    assert z == pytest.approx((x - mean) / deviation, abs=5e-3)


def test_every_layer_is_drawn_with_the_learners_pair(open_warm_page):
    app = open_part(open_warm_page, "layers")
    assert "most alike at layer" in words_of(app) and "your pair" in sent_to(app)


def test_sense_choices_are_compared_sentence_by_sentence(open_warm_page):
    app = open_part(open_warm_page, "senses")
    hidden = behind_curtains(app)
    app = guess(app, "isotropy_senses_guess", "same")
    assert len(behind_curtains(app)) == len(hidden) - 1, "what is answered is behind no curtain"
    said = words_of(app)
    n = int(re.search(r"Accuracy on (\d+) uses", said)[1])
    raw, z = re.search(r"\*\*([\d.]+)\s%\*\* raw.*\*\*([\d.]+)\s%\*\* z", said).groups()
    mended, broken = map(
        int,
        re.search(r"z-scored\*\* against raw: (\d+) uses became right, (\d+) wrong", said).groups(),
    )
    # Each accuracy is rounded to a tenth of a point.
    assert (float(z) - float(raw)) / 100 * n == pytest.approx(mended - broken, abs=0.001 * n)
    is_clear = re.search(r"z-scored\*\* against raw:[^\n]*\*\*a clear change\*\*", said) is not None
    assert ("That is right" in said) != is_clear, "the guess and the interval agree"
    assert "die_de" not in sent_to(app)


def test_frequent_words_are_less_like_themselves_before_and_after(open_warm_page):
    app = guess(open_part(open_warm_page, "senses"), "isotropy_frequent_guess", "stays")
    numbers = re.search(
        r"frequent words: ([\d.]+) and ([\d.]+) raw, .*dropped, ([\d.]+) and ([\d.]+) z-scored",
        words_of(app),
    )
    raw_rare, raw_frequent, z_rare, z_frequent = map(float, numbers.groups())
    assert raw_rare > raw_frequent and z_rare > z_frequent
    assert "That is right" in words_of(app)


def test_the_corpus_can_be_the_learners_own(open_warm_page):
    app = open_part(open_warm_page, "dimensions", isotropy_corpus="own")
    assert "drawn from your text" in captions_of(app) and "Only" in captions_of(app)


def test_a_corpus_of_one_sentence_is_refused_in_words(open_warm_page):
    app = open_part(open_warm_page, "dimensions", isotropy_corpus="own")
    app.text_area(key="isotropy_own").set_value("One sentence only").run()
    assert not app.exception
    assert "at least two" in app.error[0].value


def pool_of_numbers(made):
    """Return a pool in which each number's vector is that number."""

    def read(block):
        assert cache.long_work_lock().locked(), "one visitor's block at a time, whatever the corpus"
        made.extend(block)
        return torch.tensor(block, dtype=torch.float32).view(1, -1, 1)

    return pool.Pool(things=range(20), read=read)


def test_several_visitors_share_one_reading_of_a_corpus(monkeypatch):
    monkeypatch.setattr(pool, "BLOCK", 2)
    made = []
    numbers = pool_of_numbers(made)
    draws = [tuple(range(first, first + 12)) for first in range(0, 8, 2)]
    with ThreadPoolExecutor() as threads:
        results = list(threads.map(lambda draw: numbers.take(0, draw), draws))
    assert sorted(made) == list(range(18)), "each is read once, and none that nobody drew"
    assert [one.flatten().tolist() for one in results] == [list(draw) for draw in draws]


def test_pools_are_kept_by_their_bytes_and_the_least_lately_used_goes_first():
    made = []
    kept = pool.KeptPools(most_bytes=30 * (20 * 4 + 5))  # thirty pools of twenty numbers

    def take(name: str) -> None:
        _, numbers = kept.of((name,), lambda: (name, pool_of_numbers(made)))
        numbers.take(0, range(20))

    for _ in range(3):  # a class, each with a text of their own
        for name in range(30):
            take(f"no {name}")
    assert len(made) == 30 * 20, "each is read once"
    take("no 0")
    take("a new one")
    take("another")
    assert [*kept.kept][-3:] == [("no 0",), ("a new one",), ("another",)]
    assert ("no 1",) not in kept.kept
    for number in range(9):  # whose vectors were never read
        kept.of((f"{number}" * 1_000,), lambda: ("", pool_of_numbers(made)))
    assert len(kept.kept) < 3


def test_own_texts_are_kept_in_half_precision_and_never_evict_our_sentences():
    ours = CorpusKey(model_name=MODEL, seed=1, text=None, language="de")
    own = replace(ours, text=SIXTY_WORDS)
    before = isotropy_computed._words_of(ours)[1]
    for number in range(40):
        isotropy_computed._words_of(replace(own, text=f"{SIXTY_WORDS} {number}"))
    assert isotropy_computed._words_of(ours)[1] is before
    assert isotropy_computed._own_pools in housekeeping.caches_by_input()
    states = isotropy_computed.corpus_states(own, 12)
    sample, kept = isotropy_computed._words_of(own)
    whole = kept.read(sample.words)[12]
    assert states.dtype == torch.float32 and kept.vectors.dtype == torch.float16
    assert (states - whole).abs().max() < 1e-3 * whole.abs().max()
    assert isotropy_computed.mean_cosine(own, 12, "raw", 0) == pytest.approx(
        dimension_proportions(whole, sample.groups).mean_cosine, abs=1e-4
    )


def test_an_interrupted_reading_goes_on_where_it_stopped(monkeypatch):
    monkeypatch.setattr(pool, "BLOCK", 1)
    made = []
    numbers = pool_of_numbers(made)

    def stop_after_two(done, of):
        if done == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        numbers.fill(range(5), stop_after_two)
    assert numbers.take(0, range(5)).shape == (5, 1)
    assert made == [0, 1, 2, 3, 4]


def test_the_word_of_the_opening_is_the_one_whose_z_is_worked_out(open_warm_page):
    app = open_part(open_warm_page, "formula")
    app.text_input(key="isotropy_first").set_value("She tuned her old violin.").run()
    assert app.text_input(key="isotropy_formula").value == "She tuned her old violin."
    assert app.text_input(key="isotropy_formula_word").value == "violin"
    assert not app.exception and not [one for one in app.info if "violin" in one.value]


def test_random_german_words_are_not_isotropic_until_z_scored_and_frequent_ones_stay_apart():
    corpus = CorpusKey(model_name=MODEL, seed=1, text=None, language="de")
    learned = isotropy_computed.learned(corpus, 12)
    many, apart = isotropy_computed.random_cosines(corpus, 12, "raw", 0)
    assert many.mean > 0.1 + 3 * apart.standard_error
    assert learned.proportions.n_for_proportion(0.5) <= 10
    pair = tuple(
        find_word(example("isotropy", name), example("isotropy", f"{name}_word")).marked(0)
        for name in ("first", "second")
    )
    vectors = cache_senses.own_uses(MODEL, pair).at(12)
    raw, z = (
        cosine_similarity(*learned.postprocess(vectors, name), dim=0).item()
        for name in ("raw", "z-scored")
    )
    assert raw > 0.3 and abs(z) < raw / 2
    sample = isotropy_computed.band_words(corpus)
    states = isotropy_computed.band_states(corpus, 12, lambda *_: None)
    for name in ("raw", "z-scored"):
        rare, *_, frequent = score_bands(learned.postprocess(states, name), sample)
        assert rare.self_similarity > frequent.self_similarity + 2 * rare.standard_error


@pytest.mark.parametrize(("language", "said"), [("en", "set to 0"), ("de", "auf 0 gesetzt")])
def test_the_largest_dimension_is_needed_as_a_constant_alone(language, said, open_warm_page):
    app = open_part(open_warm_page, "dimensions", lang=language)
    assert '-isotropy_held"' not in sent_to(app)
    guess(app, "isotropy_needed_guess", "zero")
    assert '-isotropy_held"' in sent_to(app)
    [(whole, zero, rise)] = re.findall(
        rf"\*\*{said}\*\* .*? (\d[.,]\d\d) \w+ \*\*(\d[.,]\d\d)\*\*.* (\d[.,]\d\d) \(",
        words_of(app),
    )
    whole, zero, rise = (float(one.replace(",", ".")) for one in (whole, zero, rise))
    assert zero > whole + 0.4 and 0 <= rise < 0.1
    right = {"en": "That is right", "de": "Das stimmt"}[language]
    assert right in words_of(app)
