"""The whole pretraining loss of one pair: hidden tokens and the verdict, added up."""

from random import Random
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted, in_formula
from mlm_core.prediction.next_sentence import next_sentence_steps, total_loss
from mlm_core.prediction.pair_examples import FOLLOWS, IS_RANDOM
from pages.parts.sentence_pairs.setting import seed, show_pair
from pages.shared.caches import cache
from pages.shared.figures.show import show_metrics
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.text.tokens import TokenizedText

CHOSEN = 0.15  # share of tokens, as in BERT


def show_total(page: Page, text: "TokenizedText") -> None:
    """Hide some tokens of the pair, and add the two losses of what the model then sees."""
    from mlm_core.prediction.masked_words import labels_of, predict, put_tokens
    from mlm_core.text.tokens import role_token

    words, model = page.words, cache.model(page.model_name)
    st.markdown(words.section("head.total"))
    own = [i for i, token in enumerate(text.tokens) if not token.is_special]
    if not own:
        st.info(words.section("head.no_total"), icon=":material/edit:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chance = Random(seed(page))
        truths = {"0": words.label("true_pair"), "1": words.label("random_pair")}
        truth = inputs.choice(words.label("truth"), truths, key="sentence_pairs_truth")
    n_chosen = min(len(own), max(1, round(CHOSEN * len(text.tokens))))
    chosen = chance.sample(own, n_chosen)
    mask_id = model.tokenizer.token_to_id(role_token(model.tokenizer, "[MASK]"))
    seen = put_tokens(text, dict.fromkeys(chosen, mask_id), model.tokenizer, special=True)
    show_pair(page, seen, key="sentence_pairs_hidden_chips")
    hidden = predict(model, seen, labels_of(text.ids, chosen)).loss
    label = IS_RANDOM if truth == "1" else FOLLOWS
    verdict = next_sentence_steps(model.bert, model.encode(seen).last[0]).loss(label)
    both = total_loss(hidden, verdict)
    st.latex(
        f"{in_formula(hidden, '.3f')} + {in_formula(verdict, '.3f')} = {in_formula(both, '.3f')}"
    )
    values = {"total_mlm": hidden, "total_nsp": verdict, "total_sum": both}
    show_metrics(
        {words.label(name, n=n_chosen): formatted(value, ".3f") for name, value in values.items()}
    )
