"""Other rules on the same sentence: rates, units, selection, where random words come from."""

from functools import partial

from mlm_core.figures.masking.corruption import play_html
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import Corruption, corrupt, moves, play_state
from pages.kit.part import Part, part
from pages.lessons.masking import decisions, setting


@part(
    code=(
        "masking.steps:corrupt",
        "masking.random_words:unigram_counts",
        "masking.random_words:random_words",
    )
)
def show(p: Part) -> None:
    """Play the sentence to its end under the learner's own rule."""
    p.say("lead")
    text, rule, uniform = _choose_rule(p)
    now = setting.of_text(p, text)
    p.say_what_was_left_out(now.text)
    if now.is_empty:
        p.note("empty", icon="edit")
        return
    sampler = now.random_words(uniform=uniform)
    corruption = corrupt(now.text.tokens, now.rolls(), rule, sampler, now.mask)
    p.figure(
        "rule_play",
        partial(
            play_html,
            corruption,
            play_state(corruption, len(moves(corruption))),
            rule,
            names=decisions.row_names(p, "row_span" if rule.unit == "span" else "row_draw"),
            at=None,
            clickable=False,
        ),
        lambda: decisions.table_of(p, corruption),
        chosen=len(corruption.choice.positions),
        seed=now.seed,
        rule=_in_words(p, rule, uniform),
    )
    decisions.say_what_counts(p, corruption)
    _say_how_it_came(p, rule, corruption)


def _say_how_it_came(p: Part, rule: CorruptionRule, corruption: Corruption) -> None:
    """Say how this rule came to its choice on this sentence."""
    choice, n, rate = corruption.choice, len(corruption.tokens), rule.mlm_probability
    if rule.unit == "span":
        p.say("span", lengths=", ".join(map(str, choice.span_words)), count=choice.count)
        return
    if choice.count is None:
        p.say(f"{rule.unit}_by_itself", rate=rate)
        return
    units = [each.unit for each in choice.candidates if each.unit is not None]
    not_chosen = {
        each.unit for each in choice.candidates if each.unit is not None and not each.is_chosen
    }
    n_passed_over = sum(units.count(unit) > choice.count for unit in not_chosen)
    said = p.section(f"{rule.unit}_count", rate=rate, n=n, product=n * rate, count=choice.count)
    if rule.unit == "word" and n_passed_over:
        said += " " + p.section("word_passed_over", n=n_passed_over, count=choice.count)
    p.write(said)


def _choose_rule(p: Part) -> tuple[str, CorruptionRule, bool]:
    """Show its widgets, most of them folded.

    Returns the sentence, the rule, and whether random words come uniformly.
    """
    left, right = p.columns()
    with left:
        percent = p.slider("rate", format="%d %%")
    with right:
        # Two marks on one line cut it in three: any three shares that sum to 1.
        mask, rest = p.slider("zones", help=p.label("zones_help"), format="%d %%")
    with p.fold("details", "tune"):
        text = p.text("part_text")
        with p.row("top"):
            unit, selection = p.choice("unit"), "fixed_count"
            if unit != "span":
                selection = p.choice("selection")
            uniform = p.choice("words") == "uniform"
        p.say("words_uniform" if uniform else "words_unigram")
    rule = CorruptionRule(
        mlm_probability=percent / 100,
        unit=unit,
        selection=selection,
        mask_rate=mask / 100,
        random_rate=(rest - mask) / 100,
        keep_rate=(100 - rest) / 100,
    )
    return text, rule, uniform


def _in_words(p: Part, rule: CorruptionRule, uniform: bool) -> str:
    """Return the rule as the line under a figure says it."""
    return p.plain(
        "rule_source",
        rate=rule.mlm_probability,
        unit=p.plain(f"unit_{rule.unit}"),
        selection=p.plain(f"selection_{rule.selection}"),
        mask=rule.mask_rate,
        random=rule.random_rate,
        keep=rule.keep_rate,
        words=p.plain("words_uniform" if uniform else "words_unigram"),
    )
