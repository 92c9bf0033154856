"""Left to right: one blank from the left alone and from both sides, then every token."""

from mlm_core.figures.prediction.losses import loss_rows_chart
from mlm_core.number_format import formatted
from mlm_core.prediction.fillers import find_blanks
from mlm_core.text.tokens import role_token
from pages.kit.caches import cache_predictions, cache_training
from pages.kit.part import Part, part
from pages.lessons.prediction_and_loss.setting import score_text, sentence, show_bars
from pages.lessons.prediction_and_loss.typed import blank_sentence

N_GUESSES = 5
# Stored runs that differ in the objective alone, and the masks that they were trained with.
RUNS = {"causal": "next_word", "bidirectional": "no_nsp"}


@part(code=("small_runs.snapshot:blank_guesses", "prediction.fillers:score_positions"))
def show(p: Part) -> None:
    """Fill one blank from the left and from both sides, by models trained for it and by one."""
    p.say("lead")
    text = blank_sentence(p, "left")
    tokenizer = p.tokenizer
    blanks = find_blanks(text, tokenizer)
    if not blanks:
        p.note("no_blank", icon="edit")
        return
    p.say("trained")
    with p.safely():  # a blank can be beyond the small window
        _show_stored_runs(p, text.text.replace(role_token(tokenizer, "[MASK]"), "[MASK]"))
    p.say("one_model", model=p.model_name)
    has_switch = p.model.bert is not None
    if not has_switch:
        p.note("no_switch", model=p.model_name)
    masks = ("causal", "bidirectional") if has_switch else ("bidirectional",)
    guesses = {
        mask: cache_predictions.fillers(
            p.model_name, text.text, blanks[0], N_GUESSES, causal=mask == "causal"
        )
        for mask in masks
    }
    _show_guesses(p, "model", guesses)
    p.say("notice")
    with p.fold("every_token", "bar_chart"):
        _show_every_token(p, masks)


def _show_stored_runs(p: Part, text: str) -> None:
    """Draw what two small encoders, each trained its way, write into the blank."""
    runs = {mask: cache_training.stored_run(name) for mask, name in RUNS.items()}
    guesses = {}
    for mask, run in runs.items():
        step = cache_training.blank_guesses(run, text, N_GUESSES)
        guesses[mask] = [(one.token or "", one.probability) for one in step.guesses]
    _show_guesses(p, "run", guesses, n_steps=runs["causal"].step)
    accuracy = {f"{mask}_accuracy": run.held_out[-1].accuracy for mask, run in runs.items()}
    p.say("held_out", **accuracy)


def _show_guesses(p: Part, who: str, guesses: dict, **about: object) -> None:
    """Draw the likeliest words under each mask, side by side on one scale."""
    longest = max(likeliest[0][1] for likeliest in guesses.values())
    for (mask, likeliest), column in zip(
        guesses.items(), p.columns(*[1] * len(guesses)), strict=True
    ):
        with column:
            p.say(mask)
            tokens, probabilities = map(list, zip(*likeliest, strict=True))
            show_bars(
                p,
                f"{who}_{mask}",
                tokens,
                probabilities,
                longest=longest,
                alt="guesses_alt",
                source=f"{who}_source",
                mask=p.label(f"mask_{mask}"),
                **about,
            )


def _show_every_token(p: Part, masks: tuple[str, ...]) -> None:
    """Hide each token of the lesson's sentence in turn; draw its loss under each mask."""
    text = sentence(p)
    losses = {
        mask: [-score.log_probability for score in score_text(p, text, causal=mask == "causal")]
        for mask in masks
    }
    n = len(losses["bidirectional"])
    if not n:
        p.note("empty", icon="edit")
        return
    p.say("every_token")
    with p.row("top"):
        for mask in masks:
            p.metric(f"mean_{mask}", formatted(sum(losses[mask]) / n, ".2f"))
    tokens = [token.text for token in text.tokens if not token.is_special]
    rows = [(p.plain(f"mask_{mask}"), losses[mask]) for mask in masks]
    p.figure("causal", loss_rows_chart(tokens, rows), {"token": tokens} | losses)
    if len(masks) > 1:
        worse = sum(c > b for b, c in zip(losses["bidirectional"], losses["causal"], strict=True))
        p.say("count", n=worse, of=n)
