"""Choose the thresholds of doubt on dev, and count errors on test.

    make stored STORED=refusals    mlm_core/data/refusals.json, in a minute or two

The next-sentence heads, each in the language that its model reads: dev are pairs of every other
document of ours, test those of the rest. The taggers: the words of the dev and of the test part.

Read before this: ../mlm_core/evaluation/refusal.py, stored_finetunes.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from random import Random

from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.evaluation.refusal import choose_threshold, count_refusals
from mlm_core.finetuning.cost import refuse_foreign
from mlm_core.finetuning.fine_tuned import FineTuned, fine_tuned
from mlm_core.finetuning.settings import TAGGED
from mlm_core.labelled.examples import TaggedSentence
from mlm_core.prediction.next_sentence import next_sentence_steps
from mlm_core.prediction.pair_examples import KINDS, Kind, draw_order_test
from mlm_core.stored.finetunes import WITH_WEIGHTS, read_stored
from mlm_core.stored.refusals import (
    REFUSALS_FILE,
    Scored,
    StoredRefusal,
    next_sentence_name,
    scored_pairs,
)
from mlm_core.tagging.bio_tags import encode
from mlm_core.text import corpora
from mlm_core.text.tokens import tokenize
from tools.stored_finetunes import write_rows

# Stored with their weights, and with mini-bert or mini-bert-de-en.
TAGGERS = tuple(f"{data}_{way}" for data in TAGGED.values() for way in WITH_WEIGHTS)
N_PAIRS, SEED = 300, 0  # of each kind, in each half of the documents
PAIRS_WRONG, WORDS_WRONG = 0.15, 0.01  # at most, of the sure predictions on dev


def score_pairs(
    model: OwnModel, documents: Sequence[Sequence[str]], n: int = N_PAIRS
) -> dict[Kind, list[float]]:
    """Return P(IsNext) of n pairs of each kind."""
    found: dict[Kind, list[float]] = {kind: [] for kind in KINDS}
    rng = Random(SEED)
    for _ in range(n):
        for kind, texts in draw_order_test(documents, rng).items():
            text = tokenize(model.tokenizer, *texts, max_tokens=model.max_tokens)
            steps = next_sentence_steps(model.bert, model.encode(text).last[0])
            found[kind].append(round(steps.p_follows, 6))
    return found


def next_sentence_refusal(language: str) -> StoredRefusal:
    """Return the threshold of the next-sentence head of the model that reads a language."""
    model, documents = load(READERS[language]), corpora.documents(language)
    dev, test = (score_pairs(model, documents[half::2]) for half in (0, 1))
    name = next_sentence_name(language)
    refusal = _refusal(name, PAIRS_WRONG, scored_pairs(dev), scored_pairs(test))
    return replace(refusal, p_next=test)


def score_words(tagger: FineTuned, sentences: Sequence[TaggedSentence]) -> Scored:
    """Return the confidence at each word's first subword, and whether its tag is right."""
    confidence, is_right = [], []
    for sentence in sentences:
        encoded = tagger.reading.read(sentence)
        assert encoded is not None  # only a question may be cut off
        predicted = tagger.tag_log_probabilities(encoded.text)
        of_words = tagger.reading.combine(predicted, encoded.word_of_subword, "first").exp()
        best, tags = of_words.max(dim=1)
        gold = encode(sentence.spans, len(sentence.words), tagger.settings.scheme)
        confidence += best.tolist()
        is_right += [
            tagger.reading.classes[tag] == right
            for tag, right in zip(tags.tolist(), gold, strict=False)  # without those cut off
        ]
    return confidence, is_right


def tagger_refusal(name: str) -> StoredRefusal:
    """Return the threshold of a stored tagger."""
    snapshot = read_stored(name)
    encoder = refuse_foreign(load(snapshot.settings.model))
    tagger, data = fine_tuned(snapshot, encoder), snapshot.data
    dev, test = (score_words(tagger, part) for part in (data.dev, data.test))
    return _refusal(name, WORDS_WRONG, dev, test)


def _refusal(name: str, most_wrong: float, dev: Scored, test: Scored) -> StoredRefusal:
    threshold = choose_threshold(*dev, most_wrong=most_wrong)
    return StoredRefusal(
        name=name,
        most_wrong=most_wrong,
        threshold=threshold,
        dev=count_refusals(*dev, threshold),
        test=count_refusals(*test, threshold),
    )


def make_refusals() -> Iterator[str]:
    """Choose all thresholds and write them; yield lines for a log."""
    rows = []
    for refusal in (*map(next_sentence_refusal, READERS), *map(tagger_refusal, TAGGERS)):
        rows.append(asdict(refusal))
        wrong = refusal.test.sure_error
        yield f"{refusal.name}: {refusal.threshold:.3f}, sure ones wrong {wrong:.3f}"
    write_rows(rows, REFUSALS_FILE)
