"""The whole test part: how often greedy breaks a rule, and what each way to decode scores."""

from functools import partial
from typing import Any

from mlm_core.figures.bars import bars_svg
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from pages.kit.part import Part
from pages.lessons.bio_tagging import computed

DECODERS = {"greedy": "greedy", "viterbi": "Viterbi"}
BAR_AFTER = 0.5  # seconds of counting


def show_counts(p: Part, run: FineTuneSnapshot, title: str) -> None:
    """Decode every test sentence in six ways and compare."""
    for part in p.progress("counting", range(computed.n_parts(run)), patience=BAR_AFTER):
        computed.decoded_part(run, part)
    (scores, lead), n = computed.decoding_scores(run), len(run.data.test)
    by_name = {(score.combination, score.decoder): score for score in scores}
    plain, legal = by_name["first", "greedy"], by_name["first", "viterbi"]
    f1: dict[str, Any] = {"greedy": plain.f1, "viterbi": legal.f1}
    p.figure(
        "counts",
        partial(
            bars_svg,
            [
                f"{p.plain(f'combination_{score.combination}')}, {DECODERS[score.decoder]}"
                for score in scores
            ],
            [score.f1 for score in scores],
            longest=1.0,
        ),
        {
            "pieces": [score.combination for score in scores],
            "decoder": [score.decoder for score in scores],
            "sentences_with_a_broken_rule": [score.n_broken for score in scores],
            "f1_conlleval": [score.f1 for score in scores],
            "f1_strict": [score.strict_f1 for score in scores],
        },
        title=title,
        n=n,
        **f1,
    )
    broken = {
        f"broken_{one.combination}": one.n_broken for one in scores if one.decoder == "greedy"
    }
    p.say("counted", n=n, share=plain.n_broken / n, strict=plain.strict_f1, **f1, **broken)
    verdict = p.section(("alike", "better", "worse")[lead.direction])
    p.write(
        f"{p.section('lead_of', difference=lead.value, low=lead.low, high=lead.high)} {verdict}"
    )
