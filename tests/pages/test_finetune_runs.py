"""Fine-tunes of one's own in both lessons: settings, own examples, watching, and choosing one.

The pages run in-process and the trainer is the real one; the runs are so small that they end
within seconds.
"""

import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch

from mlm_core.finetuning.fine_tuned import fine_tuned
from mlm_core.finetuning.settings import (
    EPOCHS,
    RANDOM_LAYERS,
    RANDOM_RATE,
    RATES,
    default_settings,
)
from pages.kit.part import Part
from pages.kit.training import finetune_own_data, runs
from pages.kit.training.finetune_runs import MINE
from pages.lessons.bio_tagging.setting import data_of
from pages.server import session
from pages.server.caches import cache, cache_finetuning
from pages.server.caches.own_models import PREFIX, OwnModels
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import read_words
from pages.server.frame.landing import Arrived
from pages.server.frame.page_frame import Page
from tests.caches import wait_for_the_trainer
from tests.finetuning.small_models import small_encoder
from tests.markup import without_links
from tests.seen import all_words_of, draw_until, progress, sent_to

CLASSES, TAGS = "pages/9_classification.py", "pages/10_bio_tagging.py"
NAME = PREFIX + "0123456789"
# Twelve texts, nine of them to learn from: a run of a second.
TABLE = "".join(
    f"{label}\tIt was {word}.\n"
    for label, words in (
        ("good", ("fine", "nice", "lovely", "great", "fun", "warm")),
        ("bad", ("dull", "cold", "awful", "broken", "late", "rude")),
    )
    for word in words
)
COLUMNS = "".join(f"{name} B-PER\nsleeps O\n\n" for name in ("Ada", "Bo", "Cy", "Di", "Ed", "Flo"))
OWN = {
    "classification_part": "train",
    "classification_set_data": "own_classes",
    "classification_set_trained": "head",
}


def words_of(app):
    return without_links(all_words_of(app))


def start(app, slug="classification"):
    app.button(key=f"{slug}_start").click().run()
    assert not app.exception and not app.error, [one.value for one in app.error]
    return app


def with_text(app, text, slug="classification"):
    app.text_area(key=f"{slug}_own_text").set_value(text).run()
    assert not app.exception
    return app


def choosing(data: tuple, with_weights: bool):
    """Be a page with a picker and nothing else."""
    import streamlit as st

    from pages.kit.part import Part
    from pages.kit.training import finetune_runs
    from pages.server.course.lessons import BY_SLUG
    from pages.server.course.words import read_words
    from pages.server.frame.page_frame import Page

    slug = "classification"
    page = Page(lesson=BY_SLUG[slug], words=read_words(slug), model_name="mini-bert")
    found = finetune_runs.choose(
        Part(page, "pairs"), data, with_weights=with_weights, name="pairs_run"
    )
    st.caption("nothing" if found is None else f"chose {found[0]}")


def picker(*data, with_weights=True, **state):
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_function(choosing, args=(data, with_weights), default_timeout=120)
    for key, value in state.items():
        app.session_state[key] = value
    return app.run()


@pytest.mark.parametrize(
    ("file", "slug", "said", "on_dev"),
    [
        (
            CLASSES,
            "classification",
            r"bag of words reaches [\d.]+\s%.*class alone [\d.]+\s%",
            "195",
        ),
        (TAGS, "bio_tagging", r"F1 0\.\d+ on the \d+ dev examples before training", "163"),
    ],
)
def test_it_opens_on_a_stored_run_with_what_needs_no_encoder(
    open_warm_page, file, slug, said, on_dev
):
    app = open_warm_page(file, **{f"{slug}_part": "train"})
    assert not app.exception and not app.error and not app.get("progress")
    assert r"Stored: layers 5\\u20138, dev" in sent_to(app)  # a dash, in JSON
    assert re.search(said, words_of(app)) and re.search(
        r"[\d,]+ parameters are trained", words_of(app)
    )
    # The dots are scores on the dev part, and so is what they are compared with.
    assert re.search(rf"measured on the dev part\. .* {on_dev} (texts|sentences)", words_of(app))
    assert ("bag of words 0.544" in sent_to(app)) == (file == CLASSES)
    measure = app.segmented_control(key=f"{slug}_curves_measure")
    for name in ("loss", "f1", "share"):
        measure.set_value(name).run()
        assert not app.exception and not app.error and "polyline" in sent_to(app)


def test_own_examples_are_trained_on_and_the_link_finds_the_run_again(open_page):
    app = open_page(CLASSES, **OWN)
    assert app.button(key="classification_start").disabled
    arrived = session.of(Arrived, app.session_state)
    n_landings = arrived.n_landings  # the link of a part leads to it
    app = start(with_text(app, TABLE))
    assert arrived.n_landings == n_landings + 1  # to the curve, above
    draw_until(app, r"Finished: \d+ steps")
    assert (
        "6 examples for training, 2 for dev, 4 kept for the test. Classes: bad, good"
        in words_of(app)
    )
    assert "Run 1: head alone, dev" in sent_to(app)
    assert re.search(r"The best step is step \d+ with [\d.]+, and its weights are", words_of(app))
    assert re.search(r"measured once, at the end, .+: [\d.]+\s% of 4 right", words_of(app))
    again = open_page(CLASSES, **OWN, **{MINE.link: app.query_params[MINE.link]})
    assert not again.exception and "Finished" in progress(again)
    assert app.session_state[MINE.kept][0].seen.weights is None
    app.button(key="classification_reset").click().run()
    assert not app.exception and not app.get("progress") and MINE.link not in app.query_params


def test_a_tagger_learns_own_sentences_rests_and_steps_once(open_page, monkeypatch):
    monkeypatch.setattr(runs, "STEP_SECONDS", 60.0)  # on a busy machine, too
    link = {"part": "train", "set_data": "own_tags", "set_trained": "head", "set_epochs_head": "40"}
    app = open_page(TAGS, **{f"bio_tagging_{name}": value for name, value in link.items()})
    app.select_slider(key="bio_tagging_set_batch_short").set_value("2").run()
    app = start(with_text(app, COLUMNS, "bio_tagging"), "bio_tagging")
    app.button(key="bio_tagging_pause").click().run()
    draw_until(app, "Paused")
    wait_for_the_trainer()
    before = re.search(r"step (\d+) of", progress(app.run()))
    wanted = int(before[1]) + 1 if before else 1
    for _ in range(20):  # before the first step, a press reads some texts
        app.button(key="bio_tagging_step").click().run()
        if f"Paused at step {wanted} of 80" in progress(app.run()):
            break
    draw_until(app, rf"Paused at step {wanted} of 80")
    app.button(key="bio_tagging_resume").click().run()
    draw_until(app, "Finished: 80 steps")
    assert "Run 1: your own tags, head alone" in words_of(app)


@pytest.mark.parametrize(
    ("file", "slug", "text", "said"),
    [
        (
            CLASSES,
            "classification",
            TABLE + "good only one column\n",
            "line 13: read 1 column, 'good only one column': expected 2",
        ),
        (CLASSES, "classification", "good\ta\n" * 3, "1 different examples"),
        (TAGS, "bio_tagging", COLUMNS + "Gus X-PER\n", "line 19: read 'X-PER' as the tag of 'Gus'"),
    ],
)
def test_examples_that_cannot_be_read_are_said_with_their_line_and_stay(
    open_warm_page, file, slug, text, said
):
    data = "own_tags" if slug == "bio_tagging" else "own_classes"
    app = open_warm_page(file, **{f"{slug}_part": "train", f"{slug}_set_data": data})
    app = with_text(app, text, slug)
    assert said in words_of(app) and app.button(key=f"{slug}_start").disabled
    assert app.text_area(key=f"{slug}_own_text").value == text


def test_a_file_fills_the_field_and_one_that_is_no_text_leaves_it(open_warm_page):
    app = open_warm_page(CLASSES, **OWN)
    uploader = app.file_uploader(key="classification_own_file")
    uploader.upload("a.tsv", b"\xef\xbb\xbf" + TABLE.encode(), "text/plain").run()
    field = "classification_own_text"
    assert app.text_area(key=field).value == TABLE and "6 examples for training" in words_of(app)
    uploader = app.file_uploader(key="classification_own_file")
    uploader.upload("b.tsv", bytes(range(256)) * 9, "text/plain").run()
    assert "no plain text" in words_of(app) and app.text_area(key=field).value == TABLE


def test_what_was_understood_is_shown_and_the_columns_can_be_changed(open_page):
    names = "idx\tnote\tsentence\tlabel\n"
    rows = TABLE.strip().split("\n")
    text = names + "".join(
        f"{i}\tnote {i}\t{row.split(chr(9))[1]}\t{row.split(chr(9))[0]}\n"
        for i, row in enumerate([*rows, rows[0]])
    )
    app = with_text(open_page(CLASSES, **OWN), text)
    said = words_of(app)
    assert "Read as: columns with tabs between" in said and "Duplicates left out: 1." in said
    assert "| idx | note | sentence: text | label: class |" in said
    assert "drawn at random, each class in the same proportion" in said
    assert "| good | 3 | 1 | 2 |" in said
    boxes = {box.label: box for box in app.selectbox if "own_column" in (box.key or "")}
    boxes["text"].set_value(2).run()
    said = words_of(app)
    assert "| idx | note: text | sentence | label: class |" in said and not app.exception
    app.button(key="classification_start").click().run()
    assert "# columns: text 2" in app.session_state[MINE.kept][0].settings.own_data


def test_a_guess_of_an_encoding_or_a_column_is_a_doubt_and_start_waits(open_warm_page):
    app = open_warm_page(CLASSES, **OWN)
    rows = "".join(f"şaşırtıcı ışık {i},{'ab'[i % 2]},{'xy'[i // 2 % 2]}\n" for i in range(12))
    data = f"text,stance,*kind*\n{rows}".encode("cp1254")
    app.file_uploader(key="classification_own_file").upload("a.csv", data, "text/plain").run()

    def asked(what):
        (found,) = [one for one in app.get("button_group") if what in (one.key or "")]
        return found

    field = "classification_own_text"
    assert "Something is in doubt" in words_of(app)
    assert asked("own_doubt_label").options[1].startswith(r"\*kind\*\: x\, y")
    asked("own_doubt_label").set_value(3).run()
    assert app.button(key="classification_start").disabled
    for encoding, word in (("windows-1252", "þaþýrtýcý"), ("windows-1254", "şaşırtıcı")):
        asked("own_text_decoded").set_value(encoding).run()
        assert app.text_area(key=field).value.split("\n")[1].startswith(f"{word} ")
    assert asked("own_text_decoded").value == "windows-1254"
    said = words_of(app)
    assert "Classes: x, y." in said and "Lines read: 13. Examples in them: 12." in said
    assert "Something is in doubt" not in said
    assert not app.exception and not app.button(key="classification_start").disabled
    # Another text in the field has nothing to do with the file.
    app = with_text(app, TABLE)
    assert not any("decoded" in (one.key or "") for one in app.get("button_group"))


def test_start_waits_for_what_could_be_a_second_text_or_a_finer_class(open_warm_page):
    app = open_warm_page(CLASSES, **OWN)
    rows = "".join(f"The film was {i}.\t{'ab'[i % 2]}x\t{'wxyz'[i % 4]}\n" for i in range(16))
    app.file_uploader(key="classification_own_file").upload("a.tsv", rows.encode(), "text/plain")
    app.run()
    for role, options, said in (
        ("label", ["column 2: ax, bx", "column 3: w, x, y, z"], 2),
        ("pair", ["none", "column 3: w, x, y, z"], 0),
    ):
        assert app.button(key="classification_start").disabled
        (asked,) = [
            one for one in app.get("button_group") if f"own_doubt_{role}" in (one.key or "")
        ]
        assert [option.replace("\\", "") for option in asked.options] == options
        asked.set_value(said).run()
    assert "Classes: ax, bx." in words_of(app) and not app.exception
    assert not app.button(key="classification_start").disabled


def test_of_two_files_the_one_whose_encoding_is_in_doubt_is_asked_for(open_warm_page):
    app = open_warm_page(CLASSES, **OWN)
    rows = [f"şaşırtıcı ışık {i}\t{'ab'[i % 2]}\r\n" for i in range(12)]
    uploader = app.file_uploader(key="classification_own_file")
    uploader = uploader.upload("train.tsv", "".join(rows[:8]).encode("cp1254"), "text/plain")
    uploader.upload("test.tsv", "".join(rows[8:]).encode(), "text/plain").run()
    assert app.button(key="classification_start").disabled
    assert "Something is in doubt" in words_of(app) and "Decoded as UTF-8" in words_of(app)
    field = "classification_own_text"
    for encoding, word in (("windows-1250", "ţaţýrtýcý"), ("windows-1254", "şaşırtıcı")):
        (asked,) = [one for one in app.get("button_group") if "decoded" in (one.key or "")]
        asked.set_value(encoding).run()
        lines = [line.split()[0] for line in app.text_area(key=field).value.splitlines() if line]
        assert lines == ["#", *[word] * 8, "#", *["şaşırtıcı"] * 4]
    assert not app.exception and not app.button(key="classification_start").disabled


def test_the_sample_can_be_trained_on_in_both_lessons(open_page):
    open_page()
    for data in ("own_classes", "own_tags"):
        from pages.server.caches import cache_finetuning

        slug = "classification" if data == "own_classes" else "bio_tagging"
        examples = cache_finetuning.dataset(data, finetune_own_data.sample(slug, data))
        assert (
            len(examples.train + examples.dev + examples.test) == finetune_own_data.SAMPLE_EXAMPLES
        )


def test_what_is_trained_has_a_rate_of_its_own_and_a_random_start_trains_all(open_warm_page):
    app = open_warm_page(CLASSES, classification_part="train")
    for way in ("head", "top", "all"):
        app.segmented_control(key="classification_set_trained").set_value(way).run()
        rate = app.select_slider(key=f"classification_set_rate_{way}")
        epochs = app.select_slider(key=f"classification_set_epochs_{way}")
        assert float(rate.value) == RATES[way] and int(epochs.value) == EPOCHS[way]
    app.segmented_control(key="classification_set_start").set_value("random").run()
    assert not app.exception
    said = words_of(app)
    assert f"a small encoder of {RANDOM_LAYERS} layers is trained" in said
    assert f"layers 1–{RANDOM_LAYERS} trained, layers {RANDOM_LAYERS + 1}–12 left out" in said
    assert float(app.select_slider(key="classification_set_rate_random").value) == RANDOM_RATE
    keys = {widget.key for widget in app.segmented_control}
    assert "classification_set_trained" not in keys


def test_a_run_that_the_trainer_has_no_room_for_is_said_before_it_starts(open_page, monkeypatch):
    from pages.server.caches import cache_training
    from pages.server.trainer.jobs import ServiceLimits

    app = open_page(CLASSES, classification_part="train")
    service = cache_training.training_service()
    monkeypatch.setattr(service, "limits", ServiceLimits(most_bytes=1_000_000))
    app.run()
    assert "all runs together have 1 MB" in words_of(app)
    assert app.button(key="classification_start").disabled


def test_a_model_of_another_architecture_is_said_to_be_none_for_this(open_page):
    other = small_encoder()
    other.bert, other.has_language_head = None, False
    app = open_page()
    session.of(OwnModels, app.session_state).kept = {NAME: other}
    app.session_state["model"] = NAME
    app.session_state["bio_tagging_part"] = "train"
    app.switch_page(TAGS).run()
    assert "has another architecture" in words_of(app) and not app.exception
    assert not any(button.key == "bio_tagging_start" for button in app.button)
    assert "polyline" in sent_to(app)


def test_an_encoder_of_ones_own_is_trained_on(open_page):
    app = open_page()
    session.of(OwnModels, app.session_state).kept = {NAME: small_encoder()}
    app.session_state["model"] = NAME
    app.session_state["bio_tagging_part"] = "train"
    app.session_state["bio_tagging_set_data"] = "own_tags"
    app.switch_page(TAGS).run()
    assert app.select_slider(key="bio_tagging_set_k").value == "2"  # of 3 layers
    app = with_text(app, COLUMNS, "bio_tagging")
    assert "Embeddings and layer 1 frozen, layers 2–3 trained." in words_of(app)
    app.select_slider(key="bio_tagging_set_read_top").set_value("2").run()
    assert "Embeddings frozen, layers 1–2 trained, layer 3 left out." in words_of(app)
    app = start(app, "bio_tagging")
    draw_until(app, r"Finished: \d+ steps")
    assert "layers 1–2, your own encoder" in words_of(app)


def test_a_link_of_a_run_of_another_sort_is_dropped_with_a_word(open_page):
    app = start(with_text(open_page(CLASSES, **OWN), TABLE))
    draw_until(app, "Finished")
    link = app.query_params[MINE.link]
    other = open_page("pages/6_train_an_encoder.py", train_an_encoder_run=link)
    assert not other.exception and not other.error and not other.get("progress")
    assert "no longer on the server" in other.toast[0].value


def test_a_picker_offers_what_fits_and_forgets_what_another_part_chose(open_page):
    open_page()
    app = picker("sentiment")  # of two stored ones, and none of one's own, nobody chooses
    assert "chose Stored: layers 5–8" in words_of(app)
    assert not app.segmented_control and not app.selectbox
    app = picker("sentiment", classification_pairs_run="entailment_top")
    assert "chose Stored: layers 5–8" in words_of(app)
    assert not app.toast and not app.exception
    assert app.segmented_control(key="classification_pairs_run").options == [
        "Stored: head alone",
        "Stored: layers 5–8",
    ]
    app = picker("sentiment", "entailment", with_weights=False)
    assert "chose Stored: sentiment, layers 5–8" in words_of(app)
    assert len(app.selectbox(key="classification_pairs_run").options) > 5
    app = picker("own_classes")
    assert "There is no run on such examples yet" in words_of(app) and "nothing" in words_of(app)


def test_ones_own_tagger_of_another_language_is_still_offered(monkeypatch):
    own = SimpleNamespace(settings=default_settings("mini-bert-de-en", "entities_de"))
    monkeypatch.setattr(runs.RunList, "all", lambda _: [own])
    slug = "bio_tagging"
    page = Page(lesson=BY_SLUG[slug], words=read_words(slug), model_name="mini-bert")
    assert data_of(Part(page, "types")) == ("entities", "own_tags", "entities_de")


def test_a_picker_says_of_a_run_that_is_gone_why_it_cannot_be_asked(open_page):
    from pages.server.caches import cache_training

    app = start(with_text(open_page(CLASSES, **OWN), TABLE))
    draw_until(app, "Finished")
    kept = {MINE.kept: app.session_state[MINE.kept]}
    assert "chose Run 1: head alone" in words_of(picker("own_classes", **kept))
    cache_training.training_service().leave(app.session_state[MINE.kept][0].ticket)
    gone = picker("own_classes", **kept)
    assert "no longer on the server" in words_of(gone) and "nothing" in words_of(gone)
    # What it said of its test part was seen and is kept.
    assert "chose Run 1" in words_of(picker("own_classes", with_weights=False, **kept))


@pytest.mark.parametrize("name", ["sentiment_top", "entities_head"])
def test_a_model_that_is_shown_is_that_of_its_snapshot_to_the_last_bit(name):
    snapshot = cache_finetuning.stored(name)
    shown = cache_finetuning.model(snapshot).upper.state_dict()
    expected = fine_tuned(snapshot, cache.model("mini-bert")).upper.state_dict()
    for key, tensor in expected.items():
        assert torch.equal(shown[key], tensor) and shown[key].dtype == torch.float32, key


def test_the_rows_of_all_lessons_are_read_without_torch():
    code = (
        "import sys; from pages.server.course.lessons import SLUGS;"
        "from pages.server.link.controls import controls_of;"
        "rows = [controls_of(slug) for slug in SLUGS];"
        "print(*{'torch', 'transformers'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
