// Which words led to the prediction? Each word is hidden in turn: occlusion.
//
// Numbers and figure are those of attribution.py in mlm_core/inside and mlm_core/figures/inside.

import { ask, textOf, tokenizer } from "../page.js";
import { html, label, number, say } from "../words.js";

export const wordsView = {
  name: "words",
  question: "inside_a_prediction/part_which_words",
  state: {},
  lesson: "inside_a_prediction",
  parameters: ({ masked }) => ({ part: "which_words", sentence: masked }),

  async *figure({ tokens, ids, blank }) {
    const [{ best: [answer] }] = await ask("fill", { ids, positions: [blank], n: 1 });
    const words = wordsAround(tokens, blank), word = tokenizer.vocabulary[answer.id];
    const moves = []; // one after the other
    const draw = () => {
      const largest = Math.max(...moves.map(Math.abs)) || 1;
      const cells = [...words, [blank]].sort(([a], [b]) => a - b).map((positions) => {
        const k = words.indexOf(positions), move = moves[k];
        if (k < 0) return html`<li class="blank">${word}</li>`;
        return html`<li class="${move < 0 && "against"}"
          style="--s:${Math.abs(move ?? 0) / largest}">
          <span>${textOf(positions.map((i) => tokens[i]))}</span>
          <small>${move === undefined ? "…" : number(move, "+.2f")}</small></li>`;
      });
      return html`${say("pocket/words.lead", { word })}<div class="attribution">
        <p>${label("inside_a_prediction/which_words_occlusion")}</p>
        <ul>${cells}</ul></div>`;
    };
    yield draw();
    for await (const move of occlusion(ids, blank, words, answer)) {
      moves.push(move);
      yield draw();
    }
  },
};

// By how much log P of the answer falls without each word, one after the other.
export async function* occlusion(ids, blank, words, { id, probability }) {
  for (const positions of words) {
    const hidden = ids.map((one, i) => positions.includes(i) ? tokenizer.maskId : one);
    const [{ others: [without] }] =
      await ask("fill", { ids: hidden, positions: [blank], n: 1, others: [id] });
    yield Math.log(probability) - Math.log(without.probability);
  }
}

// The positions of each word but the blank's; [CLS] and [SEP], which are added, are none.
export function wordsAround(tokens, blank) {
  const inWords = [...tokens.keys()].filter((i) => tokens[i].word !== null);
  const words = [...Map.groupBy(inWords, (i) => tokens[i].word).values()];
  return words.filter((positions) => !positions.includes(blank));
}
