// Prediction and loss: -log P of the true token at each hidden position, and their mean.

import { ask, bars, chip, chips, tokenizer } from "../page.js";
import { html, label, number, say, weight } from "../words.js";

const N_WORDS = 3, MOST_HIDDEN = 6;

export const lossView = {
  name: "loss",
  question: "prediction_and_loss/question",
  lead: "pocket/loss.lead",
  notice: "prediction_and_loss/positions.labels",
  state: { positions: null }, // that are hidden; null for the blank alone
  ofSentence: { positions: null },
  lesson: "prediction_and_loss",
  parameters: (sentence, state) =>
    ({ text: sentence.text, marks: hiddenIn(sentence, state).map((i) => `${i}m`).join("-") }),

  async *figure(sentence, state) {
    const { tokens } = sentence, hidden = hiddenIn(sentence, state);
    const seen = tokens.map((token, i) => hidden.includes(i) ? tokenizer.special("[MASK]") : token);
    const row = html`<div class="loss-chips">${chips(seen, (_, i) => ({
      names: [hidden.includes(i) && "selected"],
      press: !tokens[i].isSpecial && label("pocket/hide_token", { token: tokens[i].text }),
    }))}</div>`;
    if (!hidden.length) return yield html`${row}${say("prediction_and_loss/nothing_chosen")}`;
    const ids = seen.map(({ id }) => id), others = hidden.map((i) => tokens[i].id);
    const found = await ask("fill", { ids, positions: hidden, n: N_WORDS, others });
    const truths = found.map(({ others }, k) => others[k]);
    const losses = truths.map(({ probability }) => -Math.log(probability));
    const mean = losses.reduce((sum, loss) => sum + loss) / losses.length;
    const terms = losses.map((loss) => number(loss, ".2f")).join(" + ");
    const formula = losses.length === 1 ? `L = −log P = ${terms}`
      : `L = (${terms}) / ${losses.length} = ${number(mean, ".2f")}`;
    const cards = hidden.map((i, k) => card(i, tokens[i], found[k].best, truths[k], losses[k]));
    yield html`${row}<div class="cards">${cards}</div>
      <p class="metrics"><span>${label("prediction_and_loss/loss")}
      <b>${number(mean, ".2f")}</b></span> <span>${label("prediction_and_loss/perplexity")}
      <b>${number(Math.exp(mean), ",.1f")}</b></span></p>
      <p class="formula said">${formula}</p>`;
  },

  click(value, sentence) {
    const hidden = new Set(hiddenIn(sentence, lossView.state)), i = Number(value);
    if (!hidden.delete(i)) hidden.add(i);
    lossView.state.positions = [...hidden].sort((a, b) => a - b).slice(0, MOST_HIDDEN);
  },
};

function hiddenIn({ blank, truth }, { positions }) {
  return positions ?? (truth ? [blank] : []);
}

function card(i, token, best, truth, loss) {
  const words = best.some(({ id }) => id === truth.id) ? best : [...best, truth];
  return html`<section class="card"><h2>${i} ${chip(token, i)}</h2>
    ${bars(words, (id) => id === truth.id ? "✓" : "")}
    <p>P = ${weight(truth.probability)}, −log P = <b>${number(loss, ".2f")}</b></p></section>`;
}
