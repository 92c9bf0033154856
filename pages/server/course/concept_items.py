"""The questions of the concept test as data: the answers of each, and the view that shows it.

Each question has two forms on the same idea, with the same misconceptions: one is asked before the
lessons and the other after them, so a gain is not the memory of an answer. The words are labels of
pages/text/<language>/concept_test.md: a form by its name, such as cut or cut_b, and an answer as
<form>_<answer>. Each wrong answer is a misconception, by whose name several questions may offer
it; what it misses is the label thinks_<misconception>, with a source where one is known. Who says
"I don't know" gives the answer "".
"""

from dataclasses import dataclass

from mlm_core.evaluation.learning_gain import RIGHT, SITTINGS

FORMS = ("A", "B")
ORDERS = ("AB", "BA")  # the form before and the one after; all but studies have the first order


def form_at(sitting: str, order: str = ORDERS[0]) -> str:
    """Return the form of a sitting; a third one has that of the first."""
    return order[SITTINGS.index(sitting) % len(FORMS)]


@dataclass(frozen=True, kw_only=True)
class Item:
    """One question."""

    name: str
    shown_by: str  # "lesson/part", or "lesson" for its opening
    wrong: tuple[str, str, str]  # misconceptions, in the order in which they are offered
    right_at: int  # position of the right answer, 0 to 3, in form A; in form B from last

    def asked_in(self, form: str) -> str:
        """Return the label of the question in a form."""
        return self.name if form == FORMS[0] else f"{self.name}_b"

    def options(self, form: str = FORMS[0]) -> tuple[str, ...]:
        """Return the names of the answers as a form offers them."""
        first = (*self.wrong[: self.right_at], RIGHT, *self.wrong[self.right_at :])
        return first if form == FORMS[0] else first[::-1]


def _item(name: str, shown_by: str, right_at: int, *wrong: str) -> Item:
    first, second, third = wrong
    return Item(name=name, shown_by=shown_by, right_at=right_at, wrong=(first, second, third))


# The questions of each session of the course (lessons.SESSIONS).
HALVES = {
    "first_half": (
        _item("cut", "subword_tokens/algorithms", 1, "morphemes", "context", "length"),
        _item(
            "input",
            "subword_tokens/input_stack",
            3,
            "concatenated",
            "context_from_start",
            "id_is_number",
        ),
        _item(
            "blank",
            "attention_mask/three_masks",
            0,
            "mask_blocks",
            "always_causal",
            "unknown_unseen",
        ),
        _item(
            "causal",
            "attention_mask",
            2,
            "upper_layers_see",
            "only_in_training",
            "not_itself",
        ),
        _item(
            "padding", "attention_mask/three_masks", 3, "makes_batch", "saves_time", "mask_blocks"
        ),
        _item("kept", "masking/why", 2, "copying", "easy_loss", "unscored"),
        _item(
            "positions", "prediction_and_loss/positions", 2, "only_masks", "unscored", "everywhere"
        ),
        _item("blanks", "prediction_and_loss/blanks", 0, "one_by_one", "joint", "mask_blocks"),
        _item(
            "perplexity", "prediction_and_loss/surprise", 1, "is_rank", "is_accuracy", "is_error"
        ),
        _item("pairs", "sentence_pairs/batch", 3, "order", "writes", "sentence_vector"),
        _item("seed", "train_an_encoder/experiments", 2, "one_run", "only_test_size", "only_loss"),
        _item(
            "overfit",
            "train_an_encoder/experiments",
            0,
            "too_slow",
            "held_out_harder",
            "training_decides",
        ),
        _item(
            "write",
            "prediction_and_loss/write",
            1,
            "left_to_right",
            "revises",
            "same_in_one",
        ),
    ),
    "second_half": (
        _item("sense", "word_senses/static", 1, "context_from_start", "last_layer", "stored"),
        _item("map", "word_senses", 3, "distance", "axes", "noise"),
        _item("cosine", "isotropy", 0, "zero_unrelated", "percent", "length_matters"),
        _item("z_score", "isotropy/senses", 2, "better", "independent", "model"),
        _item("frozen", "classification/compare", 1, "adapts", "attention", "nothing"),
        _item("selection", "classification/selection", 3, "same_test", "not_trained", "average"),
        _item("half_name", "bio_tagging/scores", 1, "half", "only_missed", "words"),
        _item(
            "weight",
            "inside_a_prediction/which_words",
            2,
            "explains",
            "similar",
            "whole_model",
        ),
        _item("probe", "inside_a_prediction/knows", 3, "used", "trained", "percent"),
        _item("contrastive", "encoders_today", 0, "marked_pairs", "collapse", "still_masked"),
        _item("reach", "encoders_today/made_modern", 2, "extends", "halves", "slower"),
    ),
}
ITEMS = {item.name: item for half in HALVES.values() for item in half}
