"""What a small run's model says for a blank, by the game that it was trained on.

    hidden words    P(token | both sides), read at the blank itself
    next word       P(token | left side), read at the position before the blank, causal mask

A model that was trained to say the next word never saw a [MASK], so it is asked at the place
where it would say the word, and what stands to the right stays unread.

Source: SLP3 section 11.2, cloze task; Fig 11.1 for the two directions.

Read before this: ../prediction/fillers.py, ../small_runs/settings.py. Read next:
../classroom/take_home.py.
"""

from mlm_core.encoder.pretrained import MaskedLanguageModel
from mlm_core.prediction.fillers import FillStep, top_fillers
from mlm_core.small_runs.settings import Objective
from mlm_core.text.tokens import role_token, tokenize


def blank_guesses(
    model: MaskedLanguageModel, sentence: str, objective: Objective, n: int
) -> FillStep:
    """Return the `n` likeliest words for the first [MASK] of a sentence.

    Raises ValueError if there is none in the part that the model's window holds.
    """
    text = tokenize(model.tokenizer, sentence, max_tokens=model.max_tokens)
    mask = role_token(model.tokenizer, "[MASK]")
    blank = next((i for i, token in enumerate(text.tokens) if token.text == mask), None)
    if blank is None:
        raise ValueError(
            f"no {mask} among the first {len(text.tokens)} tokens: write {mask} in place of a word"
        )
    if objective == "next_word":
        # Never at 0: [CLS] stands before every word.
        logits = model.vocabulary_logits(text, causal=True)[blank - 1]
    else:
        logits = model.vocabulary_logits(text)[blank]
    return FillStep(position=blank, before=text, guesses=top_fillers(logits, n))
