"""The parts on probabilities, scores by entity, Viterbi and the bootstrap, without a browser."""

import re
from dataclasses import replace

import pytest

from pages.lessons.bio_tagging.scores_cases import read_brackets
from pages.lessons.bio_tagging.scores_grid import grid_html
from pages.lessons.bio_tagging.splitting import split_words
from tests import seen
from tests.seen import sent_to, words_of


def open_part(open_page, part, **link):
    link = {f"bio_tagging_{name}": value for name, value in link.items()}
    return seen.open_part("bio_tagging", open_page, part, **link)


def metrics(app):
    return [float(metric.value) for metric in app.metric]


def test_changed_tags_are_in_the_link_and_can_be_taken_back(open_warm_page):
    gold = "O,O,B-PER,I-PER,O,B-ORG,I-ORG,I-ORG,O,O,O,B-LOC,O"
    app = open_part(open_warm_page, "scores", tags=f"jane/BIO/{gold}/{gold}")
    assert metrics(app) == [1, 1, 1, 1]
    app.button(key="bio_tagging_scores_undo").click().run()
    assert metrics(app)[2] == 0.667 and "bio_tagging_tags" not in app.query_params


def test_changed_tags_follow_into_another_scheme_and_reset_brings_the_old_ones(open_warm_page):
    gold = "O,O,B-PER,I-PER,O,B-ORG,I-ORG,I-ORG,O,O,O,B-LOC,O"
    app = open_part(open_warm_page, "scores", tags=f"jane/BIO/{gold}/{gold}")
    app.segmented_control(key="bio_tagging_scores_scheme").set_value("BIOES").run()
    assert metrics(app)[2] == 1 and "S-LOC" in app.query_params["bio_tagging_tags"]
    app.button(key="bio_tagging_scores_reset").click().run()
    assert metrics(app)[2] == 0.667


@pytest.mark.parametrize("tags", ["x", "jane/BIO/O/O", "jane/BIO/" + "B-CAT," * 13, "/" * 900])
def test_tags_of_a_broken_link_are_left_out(open_warm_page, tags):
    app = open_part(open_warm_page, "scores", scores_case="jane", tags=tags)
    assert metrics(app)[2] == 0.667


def test_the_gold_row_is_what_is_marked_at_the_top_and_a_tagger_fills_the_other(open_warm_page):
    link = {"marked_text": "Maria Lopez left Tokyo in June.", "marked_spans": "PER:0-2,GPE:3-4"}
    app = open_part(open_warm_page, "scores", **link)
    assert metrics(app) == [1, 1, 1, 1] and "Hit**: Maria Lopez (PER)" in words_of(app)
    button = "bio_tagging_marked_button_clear"
    app.button(key=button).click().run()
    assert metrics(app)[:3] == [0, 0, 0] and "False alarm**: Maria Lopez" in words_of(app)


def test_german_opens_with_a_hit_until_a_learner_marks_a_sentence(open_warm_page):
    app = seen.open_part("bio_tagging", open_warm_page, "scores", lang="de")
    assert [metric.value for metric in app.metric[:3]] == 3 * ["0,667"]
    marked = {"marked_text": "Lea aus Rom", "marked_spans": "PER:0-1"}
    link = {f"bio_tagging_{name}": value for name, value in marked.items()}
    app = seen.open_part("bio_tagging", open_warm_page, "scores", lang="de", **link)
    assert app.segmented_control(key="bio_tagging_scores_case").value == "own"


def test_other_marks_at_the_top_take_the_changed_tags_away(open_warm_page):
    words = {"marked_text": "Bo met Al", "marked_spans": "PER:0-1"}
    tags = "own/BIO/B-PER,O,O/B-PER,O,O"
    app = open_part(open_warm_page, "scores", **words, tags=tags)
    assert metrics(app)[2] == 1
    app.button(key="bio_tagging_marked_button_clear").click().run()
    assert "Gold entities" in words_of(app) and "bio_tagging_tags" not in app.query_params


def test_a_taggers_sentence_has_an_error_and_the_button_finds_the_next(open_warm_page):
    app = open_part(open_warm_page, "scores", scores_case="tagger")
    first = app.selectbox(key="bio_tagging_scores_sentence").value
    assert metrics(app)[2] < 1
    app.button(key="bio_tagging_scores_sentence_next").click().run()
    assert int(app.selectbox(key="bio_tagging_scores_sentence").value) > int(first)
    assert metrics(app)[2] < 1


def test_the_verdict_waits_for_a_guess_and_says_p(open_warm_page):
    app = open_part(open_warm_page, "bootstrap")
    assert "Result: p" not in words_of(app)
    app.segmented_control(key="bio_tagging_bootstrap_guess").set_value("rare").run()
    assert re.search(r"Result: p [=<] 0\.\d+", words_of(app))
    html = sent_to(app)
    beyond = int(re.search(r"([\d,]+) of them are at least", html)[1].replace(",", ""))
    assert (beyond == 0) == ("p < 0.001" in words_of(app))


def test_taggers_of_other_test_parts_are_not_compared(open_page, monkeypatch):
    from pages.server.caches import cache_finetuning

    stored = cache_finetuning.stored

    def other(name):
        run = stored(name)
        if name != "entities_head":
            return run
        shorter = replace(run.dataset, test=run.dataset.test[:-1])
        return replace(run, dataset=shorter)

    monkeypatch.setattr(cache_finetuning, "stored", other)
    app = open_part(open_page, "bootstrap")
    assert "tested on different sentences" in app.warning[0].value


def test_greedy_and_viterbi_are_compared_on_one_sentence_and_on_all(open_warm_page):
    app = open_part(open_warm_page, "viterbi")
    assert "has nothing to continue" in words_of(app)  # the list opens where a rule is broken
    app.session_state["bio_tagging_counts_box"] = True
    said = words_of(app.run())
    assert "Viterbi breaks none" in said
    greedy, viterbi = map(
        float, re.search(r"F1 is ([\d.]+) for greedy and ([\d.]+) for Viterbi", said).groups()
    )
    assert 0 < greedy < viterbi <= 1 and "So the two are not shown to differ" in said
    before = app.selectbox(key="bio_tagging_test_sentence").value
    app.button(key="bio_tagging_test_sentence_next").click().run()
    assert app.selectbox(key="bio_tagging_test_sentence").value != before
    assert "has nothing to continue" in words_of(app)


def test_a_learners_sentence_is_cut_as_the_data_is():
    assert split_words("“Ann's dog,” he said…") == (
        *("“", "Ann", "'s", "dog", ",", "”", "he", "said", "…"),
    )
    assert split_words("?! U.S.A. -") == ("?", "!", "U.S.A", ".", "-")
    assert split_words("  ") == ()


@pytest.mark.parametrize("text", ["He's off to 'St. Ann's'.", "(a) “b,” c's's", "' 's ’s) ..."])
def test_words_with_spaces_between_are_cut_no_further(text):
    words = split_words(text)
    assert split_words(" ".join(words)) == words


def test_brackets_give_words_and_spans():
    words, spans = read_brackets("On [PER Jane Roe] of [LOC Ely] .")
    assert words == ("On", "Jane", "Roe", "of", "Ely", ".")
    assert [(span.start, span.end, span.type) for span in spans] == [(1, 3, "PER"), (4, 5, "LOC")]


def test_the_grid_has_a_list_for_each_tag_and_marks_what_is_wrong():
    rows = {"gold": ("O", "B-X"), "predicted": ("I-X", "B-X")}
    html = grid_html(["<b>", "b"], rows, tags=("O", "B-X", "I-X"), faults=[(), (0,)])
    assert html.count("<select") == 4 and html.count("<option selected>") == 4
    assert html.count("differs") == html.count("fault") == 1
    assert "<b>" not in html


def test_the_list_of_test_sentences_has_those_around_the_chosen_one(open_warm_page):
    app = open_part(open_warm_page, "viterbi", test_sentence="200")
    options = app.selectbox(key="bio_tagging_test_sentence").options
    assert [int(option.split()[0]) for option in options] == list(range(190, 210))


def test_one_subwords_softmax_is_written_out_and_ends_in_the_tag_of_the_drawing(open_warm_page):
    app = open_part(open_warm_page, "distribution", piece="1")
    assert "so $t_i$ = **I-ORG**" in words_of(app) and "▶" in words_of(app)
    app.selectbox(key="bio_tagging_piece").set_value("5").run()
    assert not app.exception and "so $t_i$ = **O**" in words_of(app)
    before = [formula.value for formula in app.latex]
    app.text_input(key="bio_tagging_marked_text").set_value("Bo sleeps.").run()
    assert not app.exception and [formula.value for formula in app.latex] != before


def test_the_tags_of_words_by_three_rules_stand_under_the_marks_of_the_opening(open_warm_page):
    app = open_part(open_warm_page, "distribution")
    drawn = sent_to(app)
    n_doubtful = int(re.search(r"doubtful words here: (\d+) of", words_of(app))[1])
    assert drawn.count("doubtful, 0.") == n_doubtful > 0
    for rule in ("marked", "first", "mean", "product"):
        assert f">{rule}<" in drawn
    assert "by the first subword" in drawn
