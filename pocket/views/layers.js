// Layer by layer: the head read on the state at the blank after each layer, as a film.
//
// The figure is mlm_core/figures/inside/lens.py.

import { ask, at, film, tokenizer } from "../page.js";
import { html, label, number, weight } from "../words.js";

const PLACES = ["first", "second", "third"]; // of a layer's words; a narrow box leaves the last out
const SECONDS = 0.6; // that a layer lasts

export const layersView = {
  name: "layers",
  question: "inside_a_prediction/question",
  lead: "inside_a_prediction/lead",
  notice: "inside_a_prediction/layers.notice",
  state: { followed: null }, // id of the word whose rank is followed; null for the answer
  ofSentence: { followed: null },
  lesson: "inside_a_prediction",
  parameters: ({ masked }) => ({ text: masked }),

  async *figure({ ids, blank }, { followed }) {
    const [{ best: [answer] }] = await ask("fill", { ids, positions: [blank], n: 1 });
    const id = followed ?? answer.id, word = tokenizer.vocabulary[id];
    const layers = await ask("lens", { ids, position: blank, n: PLACES.length, others: [id] });
    const ranks = layers.map(({ others: [{ rank }] }) => rank), last = layers.length - 1;
    const said = layers.map(({ best }, i) => label("inside_a_prediction/layers_said", {
      state: label(`inside_a_prediction/${i ? "state" : "state_0"}`, { layer: i }), word,
      rank: ranks[i], best: tokenizer.vocabulary[best[0].id] }));
    const alt = label("inside_a_prediction/layers_lens_alt", {
      layers: last, word, first: ranks[0], last: ranks[last] });
    const head = (key) => label(`inside_a_prediction/layers_${key}`);
    const lowest = number(tokenizer.vocabulary.length, ",");
    yield film({ kind: "lens", seconds: SECONDS, said, alt, begins: followed === null ? 0 : last },
      html`<div class="layers" style="--rows:${layers.length}">
        <span class="head">${head("layer")}</span><span class="head words">${head("words")}</span>
        <span class="head ends"><span>${lowest}</span><span>1</span></span>
        <span class="head rank">${head("rank")}</span>
        ${line(ranks)}${layers.map((layer, i) => row(layer.best, ranks[i], i, id))}</div>`);
  },

  click(value) {
    layersView.state.followed = Number(value);
  },
};

// Where a rank is on its scale: 0 at the lowest rank, 1 at rank 1.
function placeOf(rank) {
  return 1 - Math.log(rank) / Math.log(tokenizer.vocabulary.length);
}

// The line from rank to rank, piece by piece.
function line(ranks) {
  const pieces = ranks.slice(1).map((rank, i) => html`<path class="lit" style="${at(i + 1)}"
    d="M${100 * placeOf(ranks[i])} ${i + 0.5}L${100 * placeOf(rank)} ${i + 1.5}"
    vector-effect="non-scaling-stroke"/>`);
  return html`<svg viewBox="0 0 100 ${ranks.length}" preserveAspectRatio="none"
    aria-hidden="true">${pieces}</svg>`;
}

// The cells of one layer, which light together.
function row(best, rank, i, followed) {
  const style = `--row:${i + 2};${at(i)}`;
  const words = best.map(({ id, probability }, k) => {
    const word = tokenizer.vocabulary[id], look = id === followed ? "word followed" : "word";
    return html`<span class="lit ${PLACES[k]}" style="${style}"><button type="button"
      class="${look}" style="--p:${probability.toFixed(2)}" data-value="${id}"
      title="${word}: ${label("inside_a_prediction/layers_press")}"><span>${word}</span>
      <small>${weight(probability)}</small></button></span>`;
  });
  return html`<b class="lit" style="${style}">${i}</b>${words}
    <span class="place lit" style="${style}"><i style="left:${100 * placeOf(rank)}%"></i></span>
    <span class="rank lit" style="${style}">${number(rank, ",")}</span>`;
}
