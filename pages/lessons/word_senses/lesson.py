"""The row of this lesson, and those of its controls."""

import re

from mlm_core.embeddings.senses_data import stored_names, stored_word
from mlm_core.encoder.model_list import READERS
from pages.kit.rows import (
    OPENING,
    Lesson,
    choice,
    exercises,
    listed,
    number,
    played,
    position,
    slider,
    step,
    text,
    toggle,
)

WORDS = {name: stored_word(name) for name in stored_names()}
START = {"en": "bank", "de": "bank_de"}  # the word to begin with, by language read
MIXES = ("one", "mean_last_4", "sum_last_4")  # what the layers of a map are
# Words that have the first of their senses in the sentence to begin with.
IN_FIRST_SENSE = {"apple", "bat", "court", "die_de", "pitcher", "seal", "spring"}


def use_of_another_sense(name: str) -> int:
    """Return the number of a stored use with another sense than the sentence to begin with."""
    word, uses = WORDS[name], WORDS[name].sentences
    others = [
        i for i, sense in enumerate(word.sense_numbers) if (sense > 0) == (name in IN_FIRST_SENSE)
    ]
    return next((i for i in others if uses[i].target == word.word), others[0])


def use_in(sentence: str) -> dict[str, str] | None:
    """Return which map shows a learner's sentence, and where: that of a word that it has."""
    found = {one.casefold() for one in re.findall(r"\w+", sentence)}
    for name, word in WORDS.items():
        if word.word.casefold() in found:
            return {"word": name, f"star_{name}": sentence}
    return None


LESSON = Lesson(
    slug="word_senses",
    file="pages/7_word_senses.py",
    icon=":material/scatter_plot:",
    opening=("map",),
    parts=(
        "static",
        "disambiguate",
        "by_layer",
        "languages",
        "own",
        "class_map",
        "in_short",
        "exercises",
    ),
    moved={
        "questions": "by_layer",
        "discourse": "by_layer",
        "german": "languages",
        "inventory": "disambiguate",
    },
    core=("static", "disambiguate", "in_short", "exercises"),
    minutes=11,
    notebook="3_senses_and_names.ipynb",
    examples_in=("de",),
    views={
        "cosine_by_hand": "disambiguate",
        "nearest_sense": "disambiguate",
        "place_in_sense": "disambiguate",
        "fool_it": "disambiguate",
        "map_neighbours": OPENING,
    },
    fits=use_in,
)

CONTROLS = (
    listed("word", at=OPENING, start=START["en"], start_in=START),
    choice("mix", MIXES, at=OPENING),
    choice("join", ("mean", "first"), at=OPENING),
    choice("method", ("centroids", "examples"), at=OPENING),
    played("layer", at=OPENING, start="12"),
    *(
        text(
            f"star_{name}",
            at=OPENING,
            label="star_field",
            values={"word": word.word},
            default=f"try_{name}",
            when={"word": name},
            carries=True,
        )
        for name, word in WORDS.items()
    ),
    # The one sentence to begin with that has its word twice.
    position("star_place", at=OPENING, label="which_place", start="0", when={"word": "die_de"}),
    choice("colour", ("sense", "verdict", "right"), at=OPENING),
    choice("kind", ("umap", "pca", "live"), at=OPENING),
    position("point", at=OPENING, start="0"),
    step("umap_neighbours", at=OPENING, start="15", when={"kind": "live"}),
    step("umap_min_dist", at=OPENING, start="0.1", when={"kind": "live"}),
    number("umap_seed", 0, 9999, 0, at=OPENING, when={"kind": "live"}),
    *(
        text(
            f"try_{name}",
            follows=f"star_{name}",
            at="disambiguate",
            label="own_use",
            values={"word": word.word},
            default=f"try_{name}",
            when={"word": name},
        )
        for name, word in WORDS.items()
    ),
    position(
        "try_place", at="disambiguate", label="which_place", start="0", when={"word": "die_de"}
    ),
    step(
        "own_layer",
        follows="layer",
        at="static disambiguate by_layer own class_map",
        label="layer",
        start="12",
    ),
    choice(
        "arithmetic",
        at="disambiguate",
        label="arithmetic_choice",
        start="river",
        start_in={"de": "Sitzbank"},
    ),
    text("all_words", at="disambiguate"),
    choice("scope", at="by_layer", start="one"),
    choice("both_word", at="languages", label="word", start="die"),
    choice("both_model", at="languages", start=READERS["de"]),
    played("both_layer", at="languages", label="layer", start="12"),
    choice("both_kind", ("umap", "pca", "live"), at="languages", label="kind"),
    position("both_point", at="languages", label="point", start="0"),
    text("own_word", at="own"),
    choice("own_from", ("corpus", "paste", "file"), at="own", start_in={"de": "paste"}),
    toggle("own_forms", True, at="own"),
    choice("own_kind", ("pca", "umap"), at="own", label="kind"),
    choice(
        "own_colour",
        ("labels", "2", "3", "4", "5"),
        at="own",
        start="2",
        start_in={"de": "labels"},
    ),
    position("own_point", at="own", label="point", start="0"),
    slider("class_n", 3, 24, 12, at="class_map"),
    position("class_point", at="class_map", label="point", start="0"),
    *(
        position(
            f"{name}_{which}",
            at="static",
            label=f"use_{which}",
            start=str(use),
            when={"word": name},
        )
        for name, word in WORDS.items()
        # The learner's own sentence stands behind the stored ones.
        for which, use in (("a", len(word.sentences)), ("b", use_of_another_sense(name)))
    ),
    *exercises("cosine_by_hand"),
)
