"""Take a tagger home as files, and a record of the lesson."""

from typing import TYPE_CHECKING

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from pages.kit.part import Part, Table, part
from pages.kit.remember import read_words
from pages.kit.training.finetune_take_home import take_home
from pages.lessons.bio_tagging.setting import data_of, split_words
from pages.server.figures.show import show_drawing
from pages.server.link import inputs

if TYPE_CHECKING:
    from mlm_core.finetuning.one_answer import OneAnswer
    from mlm_core.finetuning.snapshot import FineTuneSnapshot


@part()
def show(p: Part) -> None:
    """Choose a tagger, ask it, save it with its answer, and keep a record."""
    # What both lessons on fine-tuning say here.
    words = read_words("finetune_take_home")

    def ask_for(snapshot: "FineTuneSnapshot") -> tuple[str, ...]:
        """Show a line, which begins with the first test sentence of the run's own data."""
        example = " ".join(snapshot.data.test[0].words)[: inputs.LONGEST_TEXT]
        data = snapshot.settings.data
        name = f"take_home_{'own_tags' if data == 'own_tags' else 'entities'}_text"
        p.begin_line(name, example)
        return split_words(p.text(name, example))

    def show_answer(title: str, snapshot: "FineTuneSnapshot", answer: "OneAnswer") -> None:
        from mlm_core.tagging.bio_tags import decode

        settings, step = snapshot.settings, snapshot.step_of_weights
        spans = decode(answer.predicted, settings.scheme, "conlleval")
        shown = answer.asked[: len(answer.predicted)]  # the others are beyond the model's window
        alt = words.plain("tags_alt", text=entity_text(shown, spans))
        show_drawing(
            entity_sentence(shown, spans, alt=alt, types=snapshot.data.classes),
            key=p.key("take_home_answer"),
            table=Table({"word": shown, "tag": answer.predicted, "P": answer.probabilities}),
            source=words.label("answer_source", run=title, model=settings.model, step=step),
        )
        if not spans:
            p.write(words.section("tags_none"))

    take_home(p.page, data_of(p.page), ask_for, show_answer)
