"""Both lessons on fine-tuning: a model leaves as files, and a record as Markdown and JSON."""

import re

import pytest

from pages.kit.training.finetune_record import settings_told
from pages.server.course.language import languages
from pages.server.course.words import read_words
from pages.server.record.lesson_record import LessonRecord, RecordTable, as_json, as_markdown, plain
from tests.hostile import TEXTS

LESSONS = {
    "classification": "pages/9_classification.py",
    "bio_tagging": "pages/10_bio_tagging.py",
}
WORDS = read_words("finetune_take_home")


def all_text(app) -> str:
    return "\n".join(element.value for element in app.markdown)


def take_home(open_warm_page, slug: str, **link: str):
    app = open_warm_page(LESSONS[slug], **{f"{slug}_part": "take_home"} | link)
    assert not app.exception and not app.error
    return app


@pytest.mark.parametrize(
    ("slug", "run", "field", "code"),
    [
        ("classification", "sentiment_top", "sentiment_text", "trust_remote_code=True"),
        ("classification", "passages_top", "passages_question", "AutoModelForQuestionAnswering"),
        ("bio_tagging", "entities_top", "entities_text", "token-classification"),
    ],
)
def test_a_model_is_asked_offered_as_files_and_recorded(open_warm_page, slug, run, field, code):
    app = take_home(open_warm_page, slug, **{f"{slug}_take_home_run": run})
    saves = [button.label for button in app.get("download_button")]
    record = read_words("lesson_record")
    assert WORDS.label("save") in saves
    assert {record.label("save_markdown"), record.label("save_json")} <= set(saves)
    app.session_state[f"{slug}_script_box"] = True
    assert code in all_text(app.run())
    app.text_area(key=f"{slug}_record_failed").set_value("Because of *irony*.").run()
    asked = app.text_input(key=f"{slug}_take_home_{field}")
    asked.set_value("A line of my own about Leeds").run()
    assert not app.exception and not app.error
    shown = all_text(app)
    assert r"> Because of \*irony\*." in shown
    assert "A line of my own about Leeds" in shown
    assert re.search(r"Errors on the test part: \d+ of \d+", shown)


def test_the_line_for_the_tagger_follows_what_is_read_until_a_learner_writes(open_warm_page):
    from mlm_core.labelled.conll import stored_entities

    app, key = (
        take_home(open_warm_page, "bio_tagging", lang="de"),
        "bio_tagging_take_home_entities_text",
    )
    for language in ("de", "en"):
        first = " ".join(stored_entities(language).test[0].words)
        assert app.text_input(key=key).value == first and key not in app.query_params
        app.button(key="read_other").click().run()
    app.text_input(key=key).set_value("Ana wohnt in Leeds").run()
    app.button(key="read_other").click().run()
    assert app.text_input(key=key).value == "Ana wohnt in Leeds" and not app.exception


@pytest.mark.parametrize("language", languages())
def test_the_readme_in_the_zip_ends_with_the_settings_of_the_run(language: str):
    from mlm_core.stored.finetunes import read_stored
    from pages.kit.training.finetune_take_home import readme

    snapshot = read_stored("entities_top")
    text = readme(read_words("finetune_take_home", language), "a run", snapshot, "tags")
    for name, value in settings_told(snapshot).items():
        assert f"- {name}: {value}\n" in text
    assert "$" not in text and "tag.py" in text


def test_an_empty_field_is_asked_for_and_nothing_is_lost(open_warm_page):
    app = take_home(open_warm_page, "classification", classification_take_home_run="entailment_top")
    app.text_input(key="classification_take_home_entailment_second").set_value(" ").run()
    assert [info.value for info in app.info] == [WORDS.section("empty")]
    first = app.text_input(key="classification_take_home_entailment_first").value
    assert first.strip() and not app.exception


def record(**changes) -> LessonRecord:
    values = {
        "lesson": "Classification",
        "question": "What does fine-tuning change?",
        "what": "stored: sentiment",
        "model": "the bundled one",
        "settings": {"n_epochs": 6, "peak_learning_rate": 0.001},
        "asked": {"Text": "It *was* | cold\n# really"},
        "answer": RecordTable(name="said", columns=("class", "P"), rows=(("bad", 0.123456789),)),
        "tables": (RecordTable(name="Errors: 0", columns=("asked",), rows=()),),
        "made": "2026-01-02 03:04 UTC",
    }
    return LessonRecord(**values | changes)


def test_a_record_reads_as_markdown_in_which_no_mark_of_the_learner_counts():
    text = as_markdown(record(failed="1. one\n- two\n\n# three"), read_words("lesson_record"))
    assert text.startswith("# Record: Classification\n")
    assert r"- **Text**: It \*was\* \| cold \# really" in text
    assert "> 1\\. one\n> \\- two\n> \n> \\# three" in text
    assert "| bad | 0.1235 |" in text
    assert len(re.findall(r"^#", text, flags=re.MULTILINE)) == 5


def test_any_text_stays_one_line_of_plain_text_and_both_files_can_be_written():
    for text in TEXTS.values():
        assert "\n" not in plain(text)
        assert not re.search(r"(?<!\\)(\\\\)*([*`<>|\[\]$]|\b_\B)", plain(text))
        both = record(failed=text, asked={"Text": text})
        for file in (as_markdown(both, read_words("lesson_record")), as_json(both)):
            assert file.encode("utf-8", errors="replace")
