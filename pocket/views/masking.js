// 80/10/10 one step at a time: choose, draw an action, replace; by a seed, as in the course.
//
// In the course: masking, its opening.

import { button, chip, page, remarks, sentence, sentenceField, tokenizer } from "../page.js";
import { choose, countToChoose, Random, replace, roll } from "../masking.js";
import { about, el, label, number, say } from "../words.js";

const LAST_SEED = 9999;
const KINDS = { mask: "mask", random: "random", keep: "kept" }; // classes of chips

export const maskingView = {
  name: "masking",
  lesson: "masking",
  parameters: (_, text) => ({ text, seed: maskingView.seed }),
  seed: 5419,
  nDone: 0, // moves made

  show(box) {
    const read = sentence();
    const figure = el("div");
    const onchange = ({ target }) => {
      maskingView.seed = Math.max(0, Math.min(LAST_SEED, Math.floor(Number(target.value)) || 0));
      Object.assign(target, { value: maskingView.seed });
      play(0);
    };
    const seed = el("input", { type: "number", min: 0, max: LAST_SEED, value: maskingView.seed, onchange });
    const play = (nDone) => {
      maskingView.nDone = nDone;
      draw(figure, read.tokens, play, (by) => {
        seed.value = maskingView.seed = (maskingView.seed + by) % (LAST_SEED + 1);
        play(0);
      });
    };
    box.append(el("h1", {}, label("masking/question")), say("masking/lead"),
      sentenceField(), ...remarks(read),
      el("label", { class: "short" }, label("masking/seed"), seed), figure);
    if (read.tokens.some((token) => !token.isSpecial)) play(maskingView.nDone);
  },
};

// All moves in order: choosing is one for the whole text, then two for each chosen token.
export function corruptionOf(tokens, seed) {
  const rolls = roll(tokens.length, new Random(seed)), chosen = choose(tokens, rolls);
  const replaced = new Map(chosen.map((i) => [i, replace(tokens[i], rolls[i], tokenizer, about.counts)]));
  const moves = [["choose"], ...chosen.flatMap((i) => [["roll", i], ["replace", i]])];
  return { rolls, chosen, replaced, moves };
}

function draw(figure, tokens, play, again) {
  const made = corruptionOf(tokens, maskingView.seed), { moves, replaced } = made;
  const nDone = Math.min(maskingView.nDone, moves.length);
  const done = moves.slice(0, nDone), next = moves[nDone];
  const has = (move, i) => done.some(([name, at]) => name === move && at === i);
  const names = ["", ...["token", "draw", "die", "seen", "label"].map((row) => label(`masking/row_${row}`))];
  const columns = tokens.map((token, i) => el("div", { class: `column${done.at(-1)?.[1] === i ? " at" : ""}` },
    el("div", { class: "names", "aria-hidden": "true" }, ...names.map((name) => el("span", {}, name))),
    ...column(token, i, made, nDone > 0, has)));
  const actions = next ? [
    button(label(`masking/do_${next[0]}`), () => play(nDone + 1), { class: "primary" }),
    button(label("masking/do_all"), () => play(moves.length)),
  ] : [];
  actions.push(button(label("masking/do_again"), () => again(1), next ? {} : { class: "primary" }));
  const wasOn = [...figure.querySelectorAll(".row button")].indexOf(document.activeElement);
  figure.replaceChildren(el("p", { class: "row" }, ...actions),
    el("div", { "aria-live": "polite" }, ...happened(tokens, replaced, done, next, made)),
    el("div", { class: "play", role: "group", "aria-label": label("masking/play_alt", { n: tokens.length, chosen: made.chosen.length }) }, ...columns));
  if (nDone) {
    figure.append(say("masking/what_counts", { positions: made.chosen.join(", "), n: made.chosen.length, of: tokens.length }));
  }
  if (wasOn >= 0) (figure.querySelectorAll(".row button")[wasOn] ?? figure.querySelector(".row button")).focus();
}

function column(token, i, { rolls, chosen, replaced }, isChosen, has) {
  const faint = (text) => el("span", { class: "faint" }, text), isHere = isChosen && chosen.includes(i);
  const first = token.isSpecial ? faint("–")
    : !isChosen ? "" : isHere ? el("b", {}, thousandths(rolls[i].selection)) : faint(thousandths(rolls[i].selection));
  const isDrawn = has("roll", i), isReplaced = has("replace", i), new_ = replaced.get(i);
  const seen = isReplaced
    ? el("span", { class: `chip ${KINDS[new_.branch]}`, title: new_.text }, new_.text)
    : isHere ? faint("…") : isChosen ? chip(token, 0, [token]) : "";
  return [el("span", { class: "number" }, String(i)),
    chip(token, 0, [token], { names: isHere ? ["chosen"] : [] }),
    el("span", { class: "draw" }, first),
    isDrawn ? die(rolls[i].die) : el("span"),
    el("span", {}, seen),
    el("span", { class: "label" }, !isChosen ? faint("·") : isHere ? el("b", {}, token.text) : faint("−100"))];
}

// The line from 0 to 1 with the zones [MASK], random and kept, and a mark at the number.
function die(value) {
  return el("span", { class: "zones", title: thousandths(value) },
    el("i", { style: `--at:${(100 * value).toFixed(1)}%` }), el("small", {}, thousandths(value)));
}

// What the last move did; in words of the course.
function happened(tokens, replaced, done, next, { chosen }) {
  if (!done.length) return [say("masking/play.start")];
  const [move, at] = done.at(-1);
  if (move === "choose") return [say("masking/play.choose", { count: countToChoose(tokens.length) })];
  const new_ = replaced.get(at);
  const about = { token: tokens[at].text, at, new: new_.text, die: thousandths(new_.die) };
  const said = [say(`masking/play.${move}_${new_.branch}`, about)];
  if (next?.[0] === "roll") said.push(say("masking/play.next", { token: tokens[next[1]].text, at: next[1] }));
  if (!next) said.push(say("masking/play.end"));
  return said;
}

function thousandths(value) { // cut, so that 0.7999 doesn't look like 0.8
  return number(Math.floor(1000 * value) / 1000, ".3f");
}
