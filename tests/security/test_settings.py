"""Values that no browser would send: far beyond a widget's limits, where work depends on them."""

from collections.abc import Callable

import pytest

FAR = 10**9
# Parts whose numbers decide how long something takes or how much memory it holds.
COSTLY = [
    ("pages/6_train_an_encoder.py", {}),
    ("pages/9_classification.py", {"classification_part": "train"}),
    ("pages/10_bio_tagging.py", {"bio_tagging_part": "train"}),
    ("pages/10_bio_tagging.py", {"bio_tagging_part": "bootstrap"}),
]
MODEL_NAMES = [
    "/etc",
    "../../../../etc/passwd",
    "./mlm_core/data/mini-bert",
    "mini-bert/../mini-bert",
    "file:///etc/passwd",
    "https://localhost/model",
    "google-bert/bert-large-cased",  # a real one that the host did not allow
    "my-encoder-0000000000",
    "a\x00b",
]


@pytest.mark.parametrize(("file", "link"), COSTLY)
@pytest.mark.parametrize("value", [FAR, -FAR])
def test_a_number_far_beyond_its_limits_is_put_back(
    file: str, link: dict[str, str], value: int, open_warm_page: Callable
):
    app = open_warm_page(file, **link)
    for one in [*app.number_input, *app.slider]:
        if not isinstance(one.value, tuple):
            one.set_value(value)
    app.run()
    assert not app.exception
    for one in [*app.number_input, *app.slider]:
        values = one.value if isinstance(one.value, tuple) else (one.value,)
        assert all(one.min <= value <= one.max for value in values), one.key


def test_a_model_outside_the_list_is_never_looked_for(
    open_warm_page: Callable, monkeypatch: pytest.MonkeyPatch
):
    from pages.shared.caches import cache

    asked = []
    monkeypatch.setattr(cache, "_other_model", asked.append)
    for name in MODEL_NAMES:
        app = open_warm_page("pages/2_attention_mask.py", model=name)
        assert app.selectbox(key="model").value == "mini-bert"
        assert not app.exception and not asked
