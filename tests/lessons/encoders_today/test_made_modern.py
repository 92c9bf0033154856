"""BERT made modern: which effects are clear, a run of one's own, an old link to the reach."""

from dataclasses import replace

import pytest

from mlm_core.evaluation.seeds import SeedMean
from mlm_core.stored.made_modern import SWITCHES, ModernResults, recipe_settings
from pages.lessons.encoders_today import made_modern
from pages.server.course.words import as_text, read_words
from tests.caches import let_the_trainer_work
from tests.seen import sent_to

FILE = "pages/12_encoders_today.py"
WORDS = read_words("encoders_today")
PATIENCE = 60  # seconds, on a machine that does much else


def words_of(app) -> str:
    assert not app.exception and not app.error
    return "\n".join(one.value for one in [*app.markdown, *app.caption])


@pytest.mark.parametrize(("measure", "lower_is"), [("loss", "better"), ("blanks", "worse")])
def test_a_clear_effect_is_better_or_worse_by_the_measure(
    open_page, monkeypatch, measure, lower_is
):
    effects = [SeedMean(mean=-0.2, margin=0.1), SeedMean(mean=-0.2, margin=0.3)]
    of = dict(zip(SWITCHES, effects * 3, strict=True))
    monkeypatch.setattr(ModernResults, "effect", lambda self, way, measure, **over: of[way])
    at = {"encoders_today_part": "made_modern", "encoders_today_modern_measure": measure}
    said = words_of(open_page(FILE, **at))
    for kind, first in ((lower_is, "rotary"), ("unclear", "geglu")):
        begins = WORDS.section(f"made_modern.found_{kind}", names="").split(":")[0]
        assert f"{begins}: {as_text(WORDS.plain(f'made_modern_way_{first}'))}" in said
    other = {"better": "worse", "worse": "better"}[lower_is]
    assert WORDS.section(f"made_modern.found_{other}", names="").split(":")[0] not in said


def test_a_run_of_the_learners_own_is_trained_beside_the_stored_recipe(open_page, monkeypatch):
    made = []

    def short(*about):
        made.append(replace(recipe_settings(*about), n_steps=2, evaluate_every=1))
        return made[-1]

    monkeypatch.setattr(made_modern, "recipe_settings", short)
    app = open_page(FILE, encoders_today_part="made_modern")
    assert not app.button(key="encoders_today_start").disabled, "that of the search"
    app.button(key="encoders_today_modern_start").click().run()
    let_the_trainer_work(PATIENCE)
    app.run()
    assert made[-1].changes == ("rotary", "pre_norm")
    both = " + ".join(WORDS.plain(f"made_modern_way_{one}") for one in made[-1].changes)
    assert WORDS.plain("made_modern_own_line", what=both, seed=1) in sent_to(app)
    assert WORDS.label("made_modern_reached", step=2, loss=0, right=0).split(":")[0] in words_of(
        app
    )
    app.button(key="encoders_today_modern_reset").click().run()
    assert WORDS.plain("made_modern_own_line", what=both, seed=1) not in sent_to(app)


def test_an_old_link_to_the_reach_opens_its_picture(open_page):
    app = open_page(FILE, encoders_today_part="reach", encoders_today_reach_way="local")
    assert WORDS.section("made_modern.of_local", side=3) in words_of(app).replace("  ", " ")
    label = WORDS.label("made_modern_reach")
    assert next(one for one in app.expander if one.label == label).proto.expanded
