"""Many languages in one model: what alpha does to proportions, vocabulary and encoders.

Vocabularies of six languages are learned here; those of a model's size and the encoders are stored.
"""

from pages.kit.part import Part, part
from pages.lessons.sentence_pairs.languages_learned import show_vocabulary
from pages.lessons.sentence_pairs.languages_stored import show_encoders, show_large


@part(
    code=(
        "text.language_sampling:sampling_probabilities",
        "text.language_sampling:draw_sentences",
        "text.language_sampling:measure_use",
        "text.language_sampling:subwords_per_word",
        "pretraining.mixed_vocabulary:learn_mixture",
        "small_runs.two_languages:measure_languages",
    )
)
def show(p: Part) -> None:
    """Draw what alpha does to a small vocabulary, to a large one or to an encoder."""
    p.say("lead")
    p.equation("11.5")
    left, right = p.columns()
    with left:
        effect = p.choice("effect")
    views = {"vocabulary": show_vocabulary, "large": show_large, "encoder": show_encoders}
    views[effect](p, right)
    p.say("ends")
    if effect != "large":
        p.caption("only_small")
