"""Take the trained sentence encoder home, in the form of sentence-transformers."""

from collections.abc import Callable

from mlm_core.encoder.language_model import OwnModel
from mlm_core.finetuning.take_home import pins
from mlm_core.labelled.tables import texts_of
from mlm_core.number_format import current_marks, written_with
from mlm_core.search.run import ContrastiveSnapshot
from mlm_core.search.take_home import pack_sentence_encoder, search_texts
from pages.kit.part import Part, Table, part
from pages.lessons.encoders_today import computed, search_ways

N_SHOWN = 5  # texts, which the script in the zip searches again


@part(code=("search.take_home:pack_sentence_encoder",))
def show(p: Part) -> None:
    """Search once with the trained vectors, and offer them as a zip with that search."""
    p.say("lead")
    run = search_ways.trained_run(p)
    if run is None:
        p.note("no_run", icon="model_training")
        return
    query = p.text("take_home_query")
    if not query.strip():
        p.note("no_query", icon="edit")
        return
    model = computed.trained(run)
    texts = texts_of(p.chosen("own_texts"))[: search_ways.MOST_TEXTS]
    if len(texts) < search_ways.FEWEST_TEXTS:
        texts = computed.task(language=run.settings.language).candidates
    shown = search_texts(
        query,
        texts,
        N_SHOWN,
        query_vector=computed.trained_vectors(run, (query,))[0],
        text_vectors=computed.trained_vectors(run, texts),
        pooling=run.settings.pooling,
    )
    Table({"sentence": shown.texts, "cosine": [round(one, 3) for one in shown.cosines]}).show()
    about = readme(p, run, model)
    p.zip(
        "save",
        lambda: pack_sentence_encoder(model, shown, about()),
        "my-sentence-encoder.zip",
    )
    p.say("use")


def readme(p: Part, run: ContrastiveSnapshot, model: OwnModel) -> Callable[[], str]:
    """Return what gives the zip's README: what was trained, how, how well, and how it is used.

    The test part is read when the zip is made, where no session is.
    """
    assert run.weights is not None  # a run that can be taken home
    words, marks = p.words, current_marks()
    values = {
        "step": run.weights.step,
        "n_steps": run.n_steps,
        "n": computed.task(language=run.settings.language).n_queries,
        "pins": pins(),
        "settings": "\n".join(f"- {name}: {value}" for name, value in vars(run.settings).items()),
    }

    def written() -> str:
        scores = computed.trained_scores(run, model)
        with written_with(marks):
            rank, recall = (scores[name].value for name in ("mean_reciprocal_rank", "recall_at_5"))
            return words.file("take_home.readme", rank=rank, recall=recall, **values)

    return written
