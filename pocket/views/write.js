// Write by unmasking: blanks after the learner's words become text in n steps.
//
// In the course: prediction_and_loss, its part "write". The same text as
// mlm_core/prediction/unmasking.py, unmask() at temperature 0, the most certain first.

import { ask, blanked, film, page, remarks, sentence, sentenceField, slider, tokenizer, wantsLessMotion } from "../page.js";
import { el, label, say, weight } from "../words.js";

const MOST_BLANKS = 12, SECONDS = 1.1;

export const writeView = {
  name: "write",
  lesson: "prediction_and_loss",
  parameters: () => ({ part: "write", write_text: writeView.given, write_length: writeView.nBlanks, write_steps: writeView.nSteps }),
  nBlanks: 8,
  nSteps: 8,
  given: "", // the learner's words before the blanks

  async show(box, isCurrent) {
    const read = sentence(), at = blanked(read.tokens);
    const figure = el("div", { class: "unmasking" });
    let nDrawn = 0;
    const steps = slider(label("prediction_and_loss/write_steps"), 1, writeView.nBlanks, writeView.nSteps, (n) => {
      writeView.nSteps = n;
      draw();
    });
    box.append(el("h1", {}, label("prediction_and_loss/part_write")), say("prediction_and_loss/write.lead"),
      sentenceField(), ...remarks(read));
    if (!at) return;
    box.append(el("div", { class: "row" },
      slider(label("prediction_and_loss/write_length"), 1, MOST_BLANKS, writeView.nBlanks, (n) => {
        const field = steps.querySelector("input");
        Object.assign(writeView, { nBlanks: n, nSteps: n });
        Object.assign(field, { max: n, value: n });
        steps.querySelector("output").textContent = n;
        draw();
      }), steps), figure, say("pocket/write.legend"));
    await draw();

    async function draw() {
      const turn = ++nDrawn, { nBlanks, nSteps } = writeView;
      const before = read.tokens.slice(1, at.blank);
      writeView.given = before.map(({ text }) => ` ${text}`).join("").replaceAll(" ##", "").trim();
      const dot = tokenizer.tokenize(".")[1];
      const ids = [tokenizer.special("[CLS]"), ...before, ...Array(nBlanks).fill(tokenizer.special("[MASK]")), dot, tokenizer.special("[SEP]")]
        .map(({ id }) => id);
      figure.replaceChildren(el("p", { class: "working" }, label("pocket/working")));
      const made = [];
      for await (const step of unmask(ids, nSteps)) {
        if (!isCurrent() || turn !== nDrawn) return;
        made.push(step);
        showFilm(figure, writeView.given, made, nBlanks, nSteps);
      }
      const { run } = showFilm(figure, writeView.given, made, nBlanks, nSteps);
      if (!wantsLessMotion()) run();
    }
  },
};

// One step after the other: { proposals: [{ position, id, probability, isKept }], nLeft }.
export async function* unmask(ids, nSteps) {
  let blanks = [...ids.keys()].filter((i) => ids[i] === tokenizer.maskId);
  const nBlanks = blanks.length;
  for (let k = 1; k <= nSteps; k++) {
    const nLeft = Math.floor(nBlanks * (nSteps - k) / nSteps), proposals = [];
    for (const position of blanks) {
      const { best } = await ask("fill", { ids, position, n: 2 });
      const { id, probability } = best.find((one) => one.id !== tokenizer.maskId);
      proposals.push({ position, id, probability });
    }
    const certain = proposals.toSorted((a, b) => b.probability - a.probability).slice(0, blanks.length - nLeft);
    proposals.forEach((one) => one.isKept = certain.includes(one));
    ids = ids.map((id, i) => certain.find((one) => one.position === i)?.id ?? id);
    blanks = blanks.filter((i) => certain.every((one) => one.position !== i));
    yield { proposals, nLeft, ids };
  }
}

function showFilm(figure, given, made, nBlanks, nSteps) {
  const first = made[0].proposals[0].position;
  const cell = (text, state, probability) => el("li", {}, el("span", { class: `cell ${state}`, title: text,
    style: `--p: ${probability ?? 0}` }, text, probability === undefined ? "" : el("small", {}, weight(probability))));
  const line = (name, cells) => el("div", { class: "step lit" }, el("b", {}, String(name)), el("ul", {}, ...cells));
  const rows = [line(0, Array.from({ length: nBlanks }, () => cell("[MASK]", "mask"))),
    ...made.map(({ proposals, ids }, k) => line(k + 1, Array.from({ length: nBlanks }, (_, i) => {
      const one = proposals.find(({ position }) => position === first + i);
      if (!one) return cell(tokenizer.vocabulary[ids[first + i]], "written");
      return cell(tokenizer.vocabulary[one.id], one.isKept ? "kept" : "open", one.probability);
    })))];
  const said = el("p", { class: "said", "aria-live": "polite" });
  const player = film(rows.length, SECONDS, (stop) => {
    rows.forEach((one, i) => one.classList.toggle("dim", i > stop));
    const step = made[stop - 1];
    const words = step?.proposals.filter((one) => one.isKept).map(({ id }) => tokenizer.vocabulary[id]).join(" … ");
    said.textContent = stop
      ? label("prediction_and_loss/write_said_step", { k: stop, steps: nSteps, words, left: step.nLeft })
      : label("prediction_and_loss/write_said_start", { n: nBlanks, steps: nSteps });
  });
  figure.replaceChildren(player.box, said, el("p", { class: "text" }, `${given} …`), ...rows);
  return player;
}
