// Write by unmasking: blanks after the learner's words become text in n steps, as a film.
//
// The same text as unmask() of mlm_core/prediction/unmasking.py at temperature 0, the most certain
// first; the figure is mlm_core/figures/prediction/unmasking.py.

import { ask, at, film, slider, textOf, tokenizer } from "../page.js";
import { html, label, weight } from "../words.js";

const MOST_BLANKS = 12, SECONDS = 1.1;
const stepsOf = ({ nBlanks, nSteps }) => Math.min(nSteps, nBlanks); // each fills at least one

export const writeView = {
  name: "write",
  question: "prediction_and_loss/part_write",
  lead: "prediction_and_loss/write.lead",
  notice: "pocket/write.legend",
  state: { nBlanks: 8, nSteps: 8 },
  lesson: "prediction_and_loss",
  parameters: ({ tokens, blank }, state) => ({ part: "write", write_steps: stepsOf(state),
    write_text: textOf(tokens.slice(1, blank)), write_length: state.nBlanks }),

  controls: (state) => [
    slider("nBlanks", label("prediction_and_loss/write_length"), 1, MOST_BLANKS, state.nBlanks),
    slider("nSteps", label("prediction_and_loss/write_steps"), 1, state.nBlanks, stepsOf(state)),
  ],

  async *figure({ tokens: read, blank }, state) {
    const { nBlanks } = state, nSteps = stepsOf(state);
    const given = read.slice(1, blank), mask = tokenizer.special("[MASK]"), made = [];
    const [first, dot, last] = tokenizer.tokenize(".");
    const tokens = [first, ...given, ...Array(nBlanks).fill(mask), dot, last];
    for await (const step of unmask(tokens.map(({ id }) => id), nSteps)) {
      made.push(step); // each is shown as soon as it is made, and at the end all as a film
      yield drawing(textOf(given), 1 + given.length, nBlanks, nSteps, made);
    }
  },
};

// One step after the other: { proposals: [{ position, id, probability, isKept }], nLeft, ids }.
export async function* unmask(ids, nSteps) {
  let blanks = [...ids.keys()].filter((i) => ids[i] === tokenizer.maskId);
  const nBlanks = blanks.length;
  for (let k = 1; k <= nSteps; k++) {
    const nLeft = Math.floor(nBlanks * (nSteps - k) / nSteps);
    const likeliest = await ask("fill", { ids, positions: blanks, n: 2 });
    const proposals = likeliest.map(({ best }, i) =>
      ({ position: blanks[i], ...best.find(({ id }) => id !== tokenizer.maskId) }));
    const certain = proposals.toSorted((a, b) => b.probability - a.probability);
    const kept = new Map(certain.slice(0, blanks.length - nLeft).map((one) => [one.position, one]));
    proposals.forEach((one) => one.isKept = kept.has(one.position));
    ids = ids.map((id, i) => kept.get(i)?.id ?? id);
    blanks = blanks.filter((i) => !kept.has(i));
    yield { proposals, nLeft, ids };
  }
}

// A row for each step that is made, from the first blank to the last one.
function drawing(given, first, nBlanks, nSteps, made) {
  const positions = Array.from({ length: nBlanks }, (_, i) => first + i);
  const rows = [positions.map(() => cell(tokenizer.maskId, "mask"))];
  const said = [label("prediction_and_loss/write_said_start", { n: nBlanks, steps: nSteps })];
  made.forEach(({ proposals, ids, nLeft }, k) => {
    const of = new Map(proposals.map((one) => [one.position, one]));
    rows.push(positions.map((i) => !of.has(i) ? cell(ids[i], "written")
      : cell(of.get(i).id, of.get(i).isKept ? "kept" : "open", of.get(i).probability)));
    const kept = proposals.filter(({ isKept }) => isKept);
    const words = kept.map(({ id }) => tokenizer.vocabulary[id]).join(" … ");
    said.push(label("prediction_and_loss/write_said_step", {
      k: k + 1, steps: nSteps, words, left: nLeft }));
  });
  const steps = rows.map((cells, i) => html`<div class="step lit" style="${at(i)}">
    <b>${i}</b><ul>${cells}</ul></div>`);
  const alt = label("prediction_and_loss/write_film_alt", { n: nBlanks, steps: nSteps });
  const begins = made.length < nSteps ? made.length : 0; // the newest, or from the start
  return film({ kind: "unmasking", seconds: SECONDS, said, begins, alt },
    html`<p class="text">${given} …</p>${steps}`);
}

function cell(id, state, probability) {
  const text = tokenizer.vocabulary[id];
  return html`<li><span class="cell ${state}" title="${text}" style="--p:${probability}">${text}
    ${probability !== undefined && html`<small>${weight(probability)}</small>`}</span></li>`;
}
