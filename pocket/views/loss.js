// Prediction and loss: -log P of the true token at each hidden position, and their mean.
//
// In the course: prediction_and_loss, its opening.

import { ask, bars, blanked, chips, remarks, sentence, sentenceField, tokenizer, page } from "../page.js";
import { el, label, number, say, weight } from "../words.js";

const N_WORDS = 3, MOST_HIDDEN = 6;

export const lossView = {
  name: "loss",
  lesson: "prediction_and_loss",
  parameters: (_, text) => ({ text, marks: lossView.marks }),
  positions: null, // that are hidden; null for the blank alone
  text: "", // that they belong to
  marks: "",

  async show(box, isCurrent) {
    const read = sentence(), { tokens } = read, at = blanked(tokens);
    if (lossView.text !== page.text) Object.assign(lossView, { text: page.text, positions: null });
    const hidden = new Set(lossView.positions ?? (at?.truth ? [at.blank] : []));
    lossView.marks = [...hidden].map((i) => `${i}m`).join("-");
    const figure = el("div", { "aria-live": "polite" });
    const pick = (i) => {
      if (!hidden.delete(i)) hidden.add(i);
      lossView.positions = [...hidden].sort((a, b) => a - b).slice(0, MOST_HIDDEN);
      page.redraw({ focus: `.loss-chips .chip:nth-child(${i + 1})` });
    };
    const seen = tokens.map((token, i) => hidden.has(i) ? tokenizer.special("[MASK]") : token);
    box.append(el("h1", {}, label("prediction_and_loss/question")), say("pocket/loss.lead"), sentenceField(), ...remarks(read),
      el("div", { class: "loss-chips" }, chips(seen, {
        onpick: pick,
        canPick: (i) => !tokens[i].isSpecial,
        look: (i) => hidden.has(i) ? ["selected"] : [],
        describe: (_, i) => label("pocket/hide_token", { token: tokens[i].text }),
      })), figure);
    if (!hidden.size) return figure.append(say("prediction_and_loss/nothing_chosen"));
    figure.append(el("p", { class: "working" }, label("pocket/working")));
    const ids = seen.map((token) => token.id), cards = [], losses = [];
    for (const i of hidden) {
      const { best, others: [truth] } =
        await ask("fill", { ids, position: i, n: N_WORDS, others: [tokens[i].id] });
      if (!isCurrent()) return;
      losses.push(-Math.log(truth.probability));
      cards.push(card(tokens[i], i, best, truth, losses.at(-1)));
    }
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
    const sum = losses.map((loss) => number(loss, ".2f")).join(" + ");
    figure.replaceChildren(el("div", { class: "cards" }, ...cards),
      el("p", { class: "metrics" },
        metric(label("prediction_and_loss/loss"), number(mean, ".2f")),
        metric(label("prediction_and_loss/perplexity"), number(Math.exp(mean), ",.1f"))),
      el("p", { class: "formula" }, losses.length > 1
        ? `L = (${sum}) / ${losses.length} = ${number(mean, ".2f")}` : `L = −log P = ${sum}`),
      say("prediction_and_loss/positions.labels"));
  },
};

function card(token, i, best, truth, loss) {
  const rows = best.map(({ id, probability }) => ({ text: tokenizer.vocabulary[id], probability, mark: id === truth.id ? "✓" : undefined }));
  if (best.every(({ id }) => id !== truth.id)) rows.push({ text: token.text, probability: truth.probability, mark: "✓" });
  return el("section", { class: "card" },
    el("h2", {}, `${i} `, el("span", { class: "chip" }, token.text)), bars(rows),
    el("p", {}, `P = ${weight(truth.probability)}, −log P = `, el("b", {}, number(loss, ".2f"))));
}

function metric(name, value) {
  return el("span", { class: "metric" }, `${name} `, el("b", {}, value));
}
