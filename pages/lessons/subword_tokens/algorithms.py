"""How each algorithm learns and cuts, written out for one word of the learner's text."""

from functools import partial

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.figures.text.cutting import attempts_svg, merges_svg, segmentations_svg
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from mlm_core.text import cutting
from mlm_core.text.tokens import ALGORITHMS
from pages.kit.part import Part, Table, part
from pages.kit.remember import model_tokenizer
from pages.lessons.subword_tokens import computed, setting

N_MERGES = 12  # shown
N_CUTS = 6  # candidates of Unigram that are shown
LONGEST_WORD = 40  # letters; the drawings have one column a letter


@part()
def show(p: Part) -> None:
    """Let the learner choose an algorithm and one of their words; show every step."""
    line, slider = p.columns(3, 2)
    with line:
        text = p.text("part_text")
    with slider:
        size = setting.choose_size(p)
    algorithm = p.choice("algorithm", ALGORITHMS)
    p.say(f"{algorithm.lower()}_learns")
    if algorithm == "BPE":
        merges = computed.first_merges(N_MERGES, p.language)
        Table(
            {
                p.plain("merge_rank"): range(1, len(merges) + 1),
                p.plain("merge_pair"): [f"{merge.left} + {merge.right}" for merge in merges],
                p.plain("merge_new"): [merge.left + merge.right for merge in merges],
                p.plain("merge_count"): [merge.count for merge in merges],
            }
        ).show()
        p.write_small(p.label("merge_source", **setting.of_corpus(p)))
    found = _words_of(text)
    if not found:
        p.note("empty", icon="edit")
        return
    word = found[p.position("word", found, default=min(4, len(found) - 1))]
    if len(word) > LONGEST_WORD:
        p.warn("long", icon="content_cut", longest=LONGEST_WORD)
        word = word[:LONGEST_WORD]
    p.say(f"{algorithm.lower()}_cuts")
    draw = {"WordPiece": _wordpiece, "BPE": _bpe, "Unigram": _unigram}
    draw[algorithm](p, word, size)


def _words_of(text: str) -> list[str]:
    """Return the words that stand behind a space or at the start, each once."""
    tokenizer = model_tokenizer(BUNDLED)
    clean, split = tokenizer.normalizer, tokenizer.pre_tokenizer
    cut = (split.pre_tokenize_str(clean.normalize_str(stretch)) for stretch in text.split())
    firsts = [pieces[0][0] for pieces in cut if pieces]
    return list(dict.fromkeys(word for word in firsts if any(map(str.isalnum, word))))


def _wordpiece(p: Part, word: str, size: int) -> None:
    """Show every piece that WordPiece looks up, and its cut."""
    vocabulary = computed.trained_tokenizer("WordPiece", size, p.language).get_vocab()
    attempts = cutting.wordpiece_attempts(word, vocabulary)
    p.figure(
        "attempts",
        partial(attempts_svg, word, attempts, found=p.plain("attempt_found")),
        [
            {"piece": one.subword, "start": one.start, "stop": one.stop, "found": one.found}
            for one in attempts
        ],
        source="source",
        n=len(attempts),
        algorithm="WordPiece",
        size=size,
        **setting.of_corpus(p),
    )
    if attempts[-1].found:
        pieces = " ".join(one.subword for one in attempts if one.found)
        p.say("result", word=word, pieces=pieces, n=len(attempts))
    else:
        letter = word[attempts[-1].start]
        p.say("wordpiece_unknown", word=word, n=len(attempts), letter=letter)
    p.code("wordpiece", cutting.wordpiece_attempts)


def _bpe(p: Part, word: str, size: int) -> None:
    """Show the word after each merge that BPE replays."""
    tokenizer = computed.trained_tokenizer("BPE", size, p.language)
    steps = cutting.bpe_steps(word, cutting.merges_of(tokenizer), tokenizer.get_vocab())
    p.figure(
        "merges",
        partial(merges_svg, steps, rank=p.plain("merge_no")),
        {
            "pieces": [" ".join(step.subwords) for step in steps],
            "merged": [" + ".join(step.merged or ()) for step in steps],
            "merge no.": [None if step.rank is None else step.rank + 1 for step in steps],
        },
        source="source",
        n=len(steps),
        algorithm="BPE",
        size=size,
        **setting.of_corpus(p),
    )
    p.say("result", word=word, pieces=" ".join(steps[-1].subwords), n=len(steps) - 1)
    p.code("bpe", cutting.bpe_steps, cutting.first_merges)


def _unigram(p: Part, word: str, size: int) -> None:
    """Show the ways to cut the word that Unigram weighs, likeliest first."""
    marked = "▁" + word
    log_probs = cutting.log_probs_of(computed.trained_tokenizer("Unigram", size, p.language))
    cuts = cutting.unigram_segmentations(marked, log_probs, N_CUTS)
    p.figure(
        "candidates",
        partial(segmentations_svg, cuts),
        {
            "pieces": [" ".join(cut.subwords) for cut in cuts],
            "log-probability": [cut.log_prob for cut in cuts],
            "of each piece": [" ".join(formatted(x, ".3f") for x in cut.log_probs) for cut in cuts],
        },
        source="source",
        n=len(cuts),
        algorithm="Unigram",
        size=size,
        **setting.of_corpus(p),
    )
    best, share = cuts[0], cutting.proportion_of_best(marked, log_probs)
    p.say(
        "unigram_result",
        word=word,
        pieces=" ".join(best.subwords),
        terms=" + ".join(f"({significant(x, 3)})" for x in best.log_probs),
        total=best.log_prob,
        # Whole per cents, and of less than one per cent two digits.
        share=formatted(100 * share, ".0f") if share > 0.01 else significant(100 * share),
    )
    p.code("unigram", cutting.unigram_segmentations)
