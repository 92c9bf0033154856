"""Take a tagger home as files, and a record of the lesson."""

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from mlm_core.finetuning.one_answer import OneAnswer
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.tagging.bio_tags import decode
from pages.kit.part import LONGEST_TEXT, Part, Table, part
from pages.kit.remember import read_words
from pages.kit.training.finetune_take_home import show_drawn, take_home
from pages.lessons.bio_tagging.setting import data_of
from pages.lessons.bio_tagging.splitting import split_words


@part()
def show(p: Part) -> None:
    """Choose a tagger, ask it, save it with its answer, and keep a record."""
    # What both lessons on fine-tuning say here.
    words = read_words("finetune_take_home")

    def ask_for(snapshot: FineTuneSnapshot) -> tuple[str, ...]:
        """Show a line, which begins with the first test sentence of the run's own data."""
        example = " ".join(snapshot.data.test[0].words)[:LONGEST_TEXT]
        data = snapshot.settings.data
        name = f"take_home_{'own_tags' if data == 'own_tags' else 'entities'}_text"
        return split_words(p.text(name, example))

    def show_answer(title: str, snapshot: FineTuneSnapshot, answer: OneAnswer) -> None:
        spans = decode(answer.predicted, snapshot.settings.scheme, "conlleval")
        shown = answer.asked[: len(answer.predicted)]  # the others are beyond the model's window
        alt = words.plain("tags_alt", text=entity_text(shown, spans))
        html = entity_sentence(shown, spans, alt=alt, types=snapshot.data.classes)
        table = {"word": shown, "tag": answer.predicted, "P": answer.probabilities}
        show_drawn(p.page, title, snapshot, html, Table(table))
        if not spans:
            p.write(words.section("tags_none"))

    take_home(p.page, data_of(p), ask_for, show_answer)
