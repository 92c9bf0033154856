// Which words led to the prediction? Each word is hidden in turn: occlusion.
//
// In the course: inside_a_prediction, its part "which_words". The same numbers as
// mlm_core/inside/attribution.py, occlusion().

import { ask, blanked, remarks, sentence, sentenceField, tokenizer } from "../page.js";
import { el, label, number, say } from "../words.js";

export const wordsView = {
  name: "words",
  lesson: "inside_a_prediction",
  parameters: (blankedText) => ({ part: "which_words", sentence: blankedText }),

  async show(box, isCurrent) {
    const read = sentence(), at = blanked(read.tokens);
    const figure = el("div", { "aria-live": "polite" }, el("p", { class: "working" }, label("pocket/working")));
    box.append(el("h1", {}, label("inside_a_prediction/part_which_words")), sentenceField(), ...remarks(read));
    if (!at) return;
    box.append(figure);
    const { best: [answer] } = await ask("fill", { ids: at.ids, position: at.blank, n: 1 });
    const word = tokenizer.vocabulary[answer.id];
    const words = wordsAround(read.tokens, at.blank).map((positions) => ({ positions, move: null }));
    const draw = () => {
      const cells = [...words, { positions: [at.blank] }].sort((a, b) => a.positions[0] - b.positions[0]);
      const largest = Math.max(...words.map(({ move }) => Math.abs(move))) || 1;
      figure.replaceChildren(say("pocket/words.lead", { word }), el("div", { class: "attribution" },
        el("p", {}, label("inside_a_prediction/which_words_occlusion")),
        el("ul", {}, ...cells.map(({ positions, move }) => move === undefined
          ? el("li", { class: "blank" }, word)
          : el("li", { class: move < 0 && "against", style: `--s: ${Math.abs(move) / largest}` },
            el("span", {}, wholeWord(read.tokens, positions)),
            el("small", {}, move === null ? "…" : number(move, "+.2f")))))));
    };
    if (!isCurrent()) return;
    draw();
    for await (const move of occlusion(at.ids, at.blank, words.map((one) => one.positions), answer)) {
      if (!isCurrent()) return;
      words.find((one) => one.move === null).move = move;
      draw();
    }
  },
};

// By how much log P of the answer falls without each word, one after the other.
export async function* occlusion(ids, blank, words, answer) {
  for (const positions of words) {
    const hidden = ids.map((id, i) => positions.includes(i) ? tokenizer.maskId : id);
    const { others: [without] } =
      await ask("fill", { ids: hidden, position: blank, n: 1, others: [answer.id] });
    yield Math.log(answer.probability) - Math.log(without.probability);
  }
}

// The positions of each word but the blank's; added [CLS] and [SEP] are none.
export function wordsAround(tokens, blank) {
  const words = new Map();
  tokens.forEach(({ word }, i) => {
    if (word !== null) words.set(word, [...words.get(word) ?? [], i]);
  });
  return [...words.values()].filter((positions) => !positions.includes(blank));
}

function wholeWord(tokens, positions) {
  return positions.map((i, k) => k ? tokens[i].text.replace(/^##/, "") : tokens[i].text).join("");
}
