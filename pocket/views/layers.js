// Layer by layer: the head read on the state at the blank after each layer, as a film.
//
// In the course: inside_a_prediction, its opening. The figure is mlm_core/figures/inside/lens.py.

import { ask, blanked, film, remarks, sentence, sentenceField, tokenizer, wantsLessMotion } from "../page.js";
import { about, el, label, number, say, weight } from "../words.js";

const PLACES = ["first", "second", "third"]; // of a layer's words; a narrow box leaves the last out
const SECONDS = 0.6; // that a layer lasts

export const layersView = {
  name: "layers",
  lesson: "inside_a_prediction",
  parameters: (blankedText) => ({ text: blankedText }),

  async show(box, isCurrent) {
    const read = sentence(), at = blanked(read.tokens);
    const figure = el("div", { class: "lens" }, el("p", { class: "working" }, label("pocket/working")));
    box.append(el("h1", {}, label("inside_a_prediction/question")), say("inside_a_prediction/lead"),
      sentenceField(), ...remarks(read));
    if (!at) return;
    box.append(figure, say("inside_a_prediction/layers.notice"));
    const [{ best: [answer] }] = (await ask("lens", { ids: at.ids, position: at.blank, n: 1 })).slice(-1);
    let isFirst = true;
    const follow = async (id) => {
      const layers = await ask("lens", { ids: at.ids, position: at.blank, n: 3, others: [id] });
      if (!isCurrent()) return;
      const { box: player, run } = draw(figure, layers, id, follow);
      if (isFirst && !wantsLessMotion()) run();
      if (!isFirst) player.querySelector("button").focus();
      isFirst = false;
    };
    if (isCurrent()) await follow(answer.id);
  },
};

function draw(figure, layers, followed, follow) {
  const n = tokenizer.vocabulary.length, word = tokenizer.vocabulary[followed];
  const place = (rank) => 1 - Math.log(rank) / Math.log(n); // 0 at the lowest rank, 1 at rank 1
  const rows = layers.map((layer, i) => row(layer, i, followed, place, follow));
  const lines = layers.slice(1).map((layer, i) => {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const [from, to] = [layers[i], layer].map(({ others: [one] }) => 100 * place(one.rank));
    const look = { d: `M${from} ${i + 0.5}L${to} ${i + 1.5}`, class: "lit", "vector-effect": "non-scaling-stroke" };
    for (const [name, value] of Object.entries(look)) line.setAttribute(name, value);
    rows[i + 1].push(line);
    return line;
  });
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawing.setAttribute("viewBox", `0 0 100 ${layers.length}`);
  drawing.setAttribute("preserveAspectRatio", "none");
  drawing.setAttribute("aria-hidden", "true");
  drawing.append(...lines);
  const head = (key, names) => el("span", { class: `head ${names}` }, label(`inside_a_prediction/layers_${key}`));
  const grid = el("div", { class: "layers", role: "group", style: `--rows: ${layers.length}`,
    "aria-label": label("inside_a_prediction/layers_lens_alt", { layers: layers.length - 1, word,
      first: layers[0].others[0].rank, last: layers.at(-1).others[0].rank }) },
  head("layer", ""), head("words", "words"),
  el("span", { class: "head ends" }, el("span", {}, number(n, ",")), el("span", {}, "1")), head("rank", "rank"),
  drawing, ...rows.flat().filter((cell) => cell.tagName !== "path"));
  const said = el("p", { "aria-live": "polite", class: "said" });
  const player = film(layers.length, SECONDS, (stop) => {
    rows.forEach((cells, i) => cells.forEach((cell) => cell.classList.toggle("dim", i > stop)));
    const state = stop ? label("inside_a_prediction/state", { layer: stop }) : label("inside_a_prediction/state_0");
    said.textContent = label("inside_a_prediction/layers_said", { state, word, rank: layers[stop].others[0].rank,
      best: tokenizer.vocabulary[layers[stop].best[0].id] });
  });
  figure.replaceChildren(player.box, said, grid);
  return player;
}

// The cells of one layer, which light together.
function row({ best, others: [{ rank }] }, i, followed, place, follow) {
  const style = `--row: ${i + 2}`;
  const words = best.map(({ id, probability }, k) => el("span", { class: `lit ${PLACES[k]}`, style },
    el("button", { type: "button", class: id === followed ? "word followed" : "word", onclick: () => follow(id),
      style: `--p: ${probability.toFixed(2)}`,
      title: `${tokenizer.vocabulary[id]}: ${label("inside_a_prediction/layers_press")}` },
    el("span", {}, tokenizer.vocabulary[id]), el("small", {}, weight(probability)))));
  return [el("b", { class: "lit", style }, String(i)), ...words,
    el("span", { class: "place lit", style }, el("i", { style: `left: ${100 * place(rank)}%` })),
    el("span", { class: "rank lit", style }, number(rank, ","))];
}
