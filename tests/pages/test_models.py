"""The model picker: other models, and what the page says when one can't be had."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from mlm_core.encoder.model_list import BUNDLED, BUNDLED_FOLDER
from pages.server.course.lessons import BY_SLUG, LESSONS
from pages.server.course.words import read_words
from pages.server.process.model_choice import MODEL_LIST_VARIABLE
from tests.seen import captions_of

UNEXPECTED = read_words("frame").section("unexpected")


@pytest.fixture(scope="module")
def roberta(tmp_path_factory):
    """Give the folder of a small random RoBERTa with a byte-level tokenizer."""
    import torch
    from transformers import RobertaConfig, RobertaForMaskedLM

    folder = tmp_path_factory.mktemp("models") / "small-roberta"
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(["The bank of the river was steep."] * 3, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    torch.manual_seed(5)
    config = RobertaConfig(
        vocab_size=400,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=40,
        max_position_embeddings=50,
        type_vocab_size=1,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
    )
    RobertaForMaskedLM(config).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def messages(app) -> str:
    """Return what the page warns of, without the escapes that keep it plain text."""
    return " ".join(element.value for element in (*app.warning, *app.error)).replace("\\", "")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_a_model_of_another_architecture_opens_every_part(
    roberta, open_warm_page, monkeypatch, lesson
):
    monkeypatch.setenv(MODEL_LIST_VARIABLE, str(roberta))
    app = open_warm_page(lesson.file, model="small-roberta")
    for name in lesson.parts:
        app.session_state[f"{lesson.slug}_part"] = name
        app.run()
        assert app.selectbox(key="model").value == "small-roberta"
        assert not app.exception and not app.error, f"{name}: {messages(app)}"


# Parts that need probabilities of words; the openings of the last two lessons do, too.
OF_A_HEAD = {
    "attention_mask": {"three_masks", "whole"},
    "masking": {"why"},
    "inside_a_prediction": {"which_words", "expects"},
    "prediction_and_loss": {"numbers", "surprise", "blanks", "write", "sentences"},
}


@pytest.fixture(scope="module")
def headless(tmp_path_factory):
    """Give the folder of a small random BERT as a sentence encoder is saved, of a short window."""
    import torch
    import transformers

    from tests.reference.small_checkpoints import save_small

    folder = tmp_path_factory.mktemp("models") / "sentence-encoder"
    save_small("bert-uncased", folder)
    torch.manual_seed(5)
    size = {"max_position_embeddings": 32, "hidden_size": 24, "num_attention_heads": 3}
    size |= {"num_hidden_layers": 4, "intermediate_size": 40, "vocab_size": 400}
    transformers.BertModel(transformers.BertConfig(**size)).save_pretrained(folder)
    return folder


# Two of the other lessons: they ask for states alone, as of the model above.
@pytest.mark.parametrize("slug", [*OF_A_HEAD, "word_senses", "bio_tagging"])
def test_an_encoder_without_a_head_opens_every_part_and_the_rest_says_what_is_missing(
    headless, open_warm_page, monkeypatch, slug
):
    lesson = BY_SLUG[slug]
    monkeypatch.setenv(MODEL_LIST_VARIABLE, f"MiniLM={headless}")
    app = open_warm_page(lesson.file, model="MiniLM")
    said = {}
    for name in lesson.parts:
        app.session_state[f"{lesson.slug}_part"] = name
        app.run()
        assert app.selectbox(key="model").value == "MiniLM"
        assert not app.exception and not app.error, f"{name}: {messages(app)}"
        infos = " ".join(one.value for one in app.info).replace("\\", "")
        said[name] = "saved without its masked-language head" in infos
    assert any("has no masked-language head" in one.value for one in app.sidebar.info)
    assert not any("predicts words from these vectors" in one.value for one in app.markdown)
    assert OF_A_HEAD.get(lesson.slug, set()) <= {name for name in said if said[name]}, said
    if lesson.slug not in OF_A_HEAD:
        assert not any(said.values()), said


def test_an_untrained_head_is_said(roberta, open_page, monkeypatch):
    monkeypatch.setenv(MODEL_LIST_VARIABLE, str(roberta))
    app = open_page("pages/4_prediction_and_loss.py", model="small-roberta")
    assert "looks untrained: on our sentences" in messages(app)
    app = open_page("pages/4_prediction_and_loss.py")
    assert "untrained" not in messages(app)


def test_a_model_without_a_switch_says_so(roberta, open_page, monkeypatch):
    monkeypatch.setenv(MODEL_LIST_VARIABLE, str(roberta))
    app = open_page("pages/2_attention_mask.py", model="small-roberta")
    assert "no mask switch" in app.info[0].value
    assert "small-roberta, Bidirectional" in captions_of(app)


def test_a_hub_model_without_a_network_leaves_the_bundled_one_in_use(open_page):
    app = open_page("pages/2_attention_mask.py", model="google-bert/bert-base-cased")
    assert "can't be reached" in messages(app) and "bundled model is still used" in messages(app)
    assert "Causal" in captions_of(app) and "google-bert" not in captions_of(app)
    assert not app.exception


def test_a_name_off_the_list_is_told(open_page):
    app = open_page("pages/2_attention_mask.py", model="../../etc/passwd")
    assert "../../etc/passwd" in messages(app) and "not on this server's list" in messages(app)
    assert app.selectbox(key="model").value == BUNDLED


def test_a_damaged_folder_is_told(open_page, monkeypatch, tmp_path):
    folder = tmp_path / "damaged"
    folder.mkdir()
    for file in ("config.json", "tokenizer.json"):
        (folder / file).write_bytes((BUNDLED_FOLDER / file).read_bytes())
    weights = (BUNDLED_FOLDER / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(weights[: len(weights) // 2])
    monkeypatch.setenv(MODEL_LIST_VARIABLE, str(folder))
    app = open_page("pages/2_attention_mask.py", model="damaged")
    assert "model.safetensors is damaged" in messages(app)
    assert "bundled model is still used" in messages(app)


def test_a_model_too_large_for_the_memory_is_told(open_page, monkeypatch, tmp_path):
    from mlm_core.encoder import fetching

    folder = tmp_path / "large"
    folder.symlink_to(BUNDLED_FOLDER)
    monkeypatch.setenv(MODEL_LIST_VARIABLE, str(folder))
    open_page("pages/2_attention_mask.py")  # the bundled model is in use
    monkeypatch.setattr(fetching, "available_bytes", lambda: 1_000_000)
    monkeypatch.setattr("streamlit.cache_resource.clear", lambda: None)
    app = open_page("pages/2_attention_mask.py", model="large")
    assert "needs about" in messages(app) and "smaller model" in messages(app)


def test_a_model_that_could_not_be_had_is_tried_again_only_when_asked(open_page, monkeypatch):
    from pages.server.caches import cache

    app = open_page("pages/2_attention_mask.py", model="google-bert/bert-base-cased")
    tried = []
    monkeypatch.setattr(
        cache, "model", lambda name, load=cache.model: tried.append(name) or load(BUNDLED)
    )
    app.segmented_control(key="attention_mask_switch").set_value("bidirectional").run()
    assert "google-bert/bert-base-cased" not in tried
    next(button for button in app.button if button.label == "Try again").click().run()
    assert "google-bert/bert-base-cased" in tried


def test_two_models_that_are_asked_for_at_once_load_one_after_the_other(monkeypatch):
    import time

    from pages.server.caches import cache, own_models
    from pages.server.process import model_choice

    loading, most, loaded = [], [], []

    def load(name):
        loading.append(name)
        most.append(len(loading))
        time.sleep(0.02)
        loading.remove(name)
        loaded.append(name)
        return object()

    monkeypatch.setattr(model_choice, "load_allowed", load)
    monkeypatch.setattr(own_models, "get", lambda name: None)
    cache._other_model.clear()
    with ThreadPoolExecutor() as threads:
        list(threads.map(cache.model, ("one", "two")))
    cache._other_model.clear()
    assert sorted(loaded) == ["one", "two"] and most == [1, 1]


def test_what_nobody_chose_is_the_next_models_usual_start(roberta, open_page, monkeypatch):
    monkeypatch.setenv(MODEL_LIST_VARIABLE, str(roberta))
    app = open_page("pages/7_word_senses.py", model="small-roberta")
    last = app.session_state["word_senses_layer"]
    assert last != "12" and app.segmented_control(key="word_senses_kind").value == "pca"
    app.selectbox(key="model").select("mini-bert").run()
    assert app.session_state["word_senses_layer"] == "12"
    assert app.segmented_control(key="word_senses_kind").value == "umap"
    app.session_state["word_senses_layer"] = "1"
    app.selectbox(key="model").select("small-roberta").run()
    assert app.session_state["word_senses_layer"] == "1", "that was chosen"
