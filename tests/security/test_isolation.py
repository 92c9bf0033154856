"""Nobody reaches another learner's work by a name, guessed or copied: a link's ticket alone does.

The names within a visit ("run-1") and the keys of the session are alike for all, so a stranger
tries them wherever a link is read. That a ticket can't be guessed: tests/pages/test_trainer.py.
That the name of an encoder reaches nothing elsewhere: tests/pages/test_own_models.py.
"""

from collections.abc import Callable

import pytest

from pages.server import session
from pages.server.course.lessons import BESIDE, BY_SLUG, LESSONS
from pages.server.link.controls import controls_of
from pages.server.room.membership import InRoom
from tests.security.test_every_input import keys

FILES = {"home": "app.py"} | {page.slug: page.file for page in (*LESSONS, *BESIDE)}
WITH_RUNS = ("train_an_encoder", "classification", "bio_tagging")
OF_A_RUN = ("_which", "_run", "_shown")
FORGED = "forged-by-a-link"


def in_session(app) -> dict[str, object]:
    """Return what stands in a visit's session, its widgets' values among it."""
    return dict(app.session_state._state.filtered_state)


def test_a_link_puts_nothing_into_the_session_but_what_its_widgets_hold(open_warm_page: Callable):
    owner = open_warm_page()
    for file in FILES.values():
        if file != "app.py":
            owner.switch_page(file).run()
    asked = dict.fromkeys(in_session(owner), FORGED)
    assert len(asked) > 100
    for slug, file in FILES.items():
        app = open_warm_page(file, **asked)
        assert not app.exception
        forged = {key for key, value in in_session(app).items() if value == FORGED}
        # What clicks choose is in no widget: a word of the sentence, which is forged, too.
        clicked = {one.key for one in controls_of(slug).values() if one.kind == "drawn"}
        clicked |= {"home_asked_of"}  # which text the hidden words are of: that of the field
        assert not forged - keys(app) - clicked, slug


def test_what_a_visit_keeps_is_made_for_it_alone_and_stays():
    one, other = {}, {}
    session.of(InRoom, one).parts["votes"] = {"part"}
    assert session.of(InRoom, one).parts and not session.of(InRoom, other).parts


@pytest.mark.parametrize("slug", WITH_RUNS)
def test_the_name_of_anothers_run_is_nobody_elses_name(slug: str, open_warm_page: Callable):
    named = [one for key, one in controls_of(slug).items() if key.endswith(OF_A_RUN)]
    asked = {one.key: "run-1" for one in named}
    for part in {part for one in named for part in one.at} & {*BY_SLUG[slug].parts}:
        app = open_warm_page(FILES[slug], **asked | {f"{slug}_part": part})
        assert not app.exception
        for one in (*app.selectbox, *app.get("button_group"), *app.multiselect):
            assert "run-1" not in (one.value if isinstance(one.value, list) else [one.value])


def test_a_model_outside_the_list_is_never_looked_for(
    open_warm_page: Callable, monkeypatch: pytest.MonkeyPatch
):
    from pages.server.caches import cache

    asked = []
    monkeypatch.setattr(cache, "_other_model", asked.append)
    # The third is a real one that the host did not allow.
    for name in ("../../../../etc/passwd", "file:///etc", "google-bert/bert-large-cased", "a\x00b"):
        app = open_warm_page("pages/2_attention_mask.py", model=name)
        assert app.selectbox(key="model").value == "mini-bert"
        assert not app.exception and not asked
