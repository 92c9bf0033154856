"""Take a tagger home as files, and a record of the lesson."""

from functools import partial

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from mlm_core.finetuning.one_answer import OneAnswer
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.tagging.bio_tags import decode
from pages.kit.part import LONGEST_TEXT, Part, part
from pages.kit.training.finetune_take_home import take_home
from pages.lessons.bio_tagging.setting import data_of
from pages.lessons.bio_tagging.splitting import split_words


@part()
def show(p: Part) -> None:
    """Choose a tagger, ask it, save it with its answer, and keep a record."""
    take_home(p, data_of(p), _ask, _show_answer)


def _ask(p: Part, snapshot: FineTuneSnapshot) -> tuple[str, ...]:
    """Show a line: the sentence that a learner marked, or a test sentence of the run's data."""
    own = p.own_text("marked_text")
    example = (own or " ".join(snapshot.data.test[0].words))[:LONGEST_TEXT]
    data = snapshot.settings.data
    name = f"take_home_{'own_tags' if data == 'own_tags' else 'entities'}_text"
    return split_words(p.text(name, example))


def _show_answer(p: Part, answer: OneAnswer, snapshot: FineTuneSnapshot, title: str) -> None:
    spans = decode(answer.predicted, snapshot.settings.scheme, "conlleval")
    shown = answer.asked[: len(answer.predicted)]  # the others are beyond the model's window
    p.figure(
        "take_home_answer",
        partial(entity_sentence, shown, spans, types=snapshot.data.classes),
        {"word": shown, "tag": answer.predicted, "P": answer.probabilities},
        alt="tags_alt",
        source="answer_source",
        text=entity_text(shown, spans),
        run=title,
        model=snapshot.settings.model,
        step=snapshot.step_of_weights,
    )
    if not spans:
        p.say("tags_none")
