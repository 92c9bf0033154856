"""Batch sizes and passes over the data: tokens in a batch, and the steps that follow."""

from mlm_core.number_format import formatted, in_formula
from mlm_core.prediction.packing import steps_for
from pages.kit.caches import cache_vocabularies
from pages.kit.part import Part, part

SIZES = ("32", "64", "128", "256", "512")
SEQUENCES = {"32": 32, "256": 256, "2K": 2048, "8K": 8192}
BERT_WORDS, BERT_STEPS, BERT_BATCH = 3.3e9, 1_000_000, 256 * 512  # Devlin et al. 2019, A.2
# The tokens that are left if 90 % of the steps have 128 (the same, A.2).
SHORT = 0.9 * 128 / 512 + 0.1
# 160 GB of text; about 30 billion words at the rate of BERT's 16 GB for 3.3 billion.
ROBERTA_WORDS = 3.3e10


@part(code=("prediction.packing:steps_for",))
def show(p: Part) -> None:
    """Let the learner choose a batch and passes, and count the steps."""
    p.say("lead")
    language = p.language
    lengths = cache_vocabularies.sentence_lengths(p.model_name, None, language)
    n_words = cache_vocabularies.n_corpus_words(language)
    rate = sum(map(sum, lengths)) / n_words  # tokens for a word, on our own documents
    with p.row():
        size = int(p.choice("pack_size", SIZES))
        sequences = SEQUENCES[p.choice("sequences", tuple(SEQUENCES))]
        corpus = p.choice("corpus")
    passes = p.slider("passes")
    sizes = {"ours": n_words, "bert": BERT_WORDS, "roberta": ROBERTA_WORDS}
    batch, n_tokens = sequences * size, sizes[corpus] * rate
    is_large = n_tokens > 1e8
    p.metrics(
        {
            p.label("batch"): formatted(batch, ","),
            p.label("tokens"): p.label("billion", n=n_tokens / 1e9)
            if is_large
            else formatted(n_tokens, ",.0f"),
            p.label("steps"): formatted(steps_for(passes, n_tokens, batch), ","),
        }
    )
    p.formula(
        rf"\frac{{{passes} \times {in_formula(n_tokens, '.2e')}}}"
        rf"{{{sequences} \times {size}}}"
        rf" \approx {in_formula(passes * n_tokens / batch, '.2e')}"
    )
    berts = BERT_STEPS * BERT_BATCH / BERT_WORDS
    p.say(
        "notice",
        passes=berts,
        rate=rate,
        less=berts / rate,
        third=SHORT * berts / rate,
        large=8192 * 512,
    )
