// 80/10/10 one step at a time: choose, draw an action, replace; by a seed, as in the course.
//
// The figure is mlm_core/figures/masking/corruption.py.

import { button, chip, tokenizer } from "../page.js";
import { choose, countToChoose, Random, replace, roll } from "../masking.js";
import { about, html, label, number, say } from "../words.js";

const LAST_SEED = 9999;
const ROWS = ["token", "draw", "die", "seen", "label"];

export const maskingView = {
  name: "masking",
  question: "masking/question",
  lead: "masking/lead",
  state: { seed: 5419, nDone: 0 }, // moves made
  lesson: "masking",
  parameters: ({ text }, { seed }) => ({ text, seed }),

  controls: ({ seed }) => html`<label class="short">${label("masking/seed")}
    <input type="number" name="seed" min="0" max="${LAST_SEED}" value="${seed}"></label>`,

  async *figure({ tokens }, { seed, nDone }) {
    const made = corruptionOf(tokens, seed), { chosen, moves } = made;
    const done = moves.slice(0, nDone), next = moves[nDone];
    const columns = tokens.map((token, i) => column(token, i, made, done));
    const alt = label("masking/play_alt", { n: tokens.length, chosen: chosen.length });
    yield html`<p class="row">${next && button("next", label(`masking/do_${next[0]}`), "primary")}
      ${next && button("all", label("masking/do_all"))}
      ${button("again", label("masking/do_again"), next ? "" : "primary")}</p>
      <div class="said">${happened(tokens, made, done, next)}</div>
      <div class="play" role="group" aria-label="${alt}">${columns}</div>
      <p class="legend">${label("masking/play_legend")}</p>
      ${nDone > 0 && say("masking/what_counts", {
        positions: chosen.join(", "), n: chosen.length, of: tokens.length })}`;
  },

  click(value, { tokens }) {
    const { state } = maskingView, { moves } = corruptionOf(tokens, state.seed);
    if (value === "next") state.nDone += 1;
    else if (value === "all") state.nDone = moves.length;
    else Object.assign(state, { seed: (state.seed + 1) % (LAST_SEED + 1), nDone: 0 });
  },
};

// All moves in order: choosing is one for the whole text, then two for each chosen token.
export function corruptionOf(tokens, seed) {
  const rolls = roll(tokens.length, new Random(seed)), chosen = choose(tokens, rolls);
  const replaced = new Map(
    chosen.map((i) => [i, replace(tokens[i], rolls[i], tokenizer, about.counts)]));
  const moves = [["choose"], ...chosen.flatMap((i) => [["roll", i], ["replace", i]])];
  return { rolls, chosen, replaced, moves };
}

function column(token, i, { rolls, chosen, replaced }, done) {
  const has = (move) => done.some(([name, at]) => name === move && at === i);
  const isDrawn = done.length > 0, isChosen = isDrawn && chosen.includes(i);
  const faint = (text) => html`<span class="faint">${text}</span>`;
  const strong = (text) => isChosen ? html`<b>${text}</b>` : faint(text);

  const draw = isDrawn && strong(thousandths(rolls[i].selection));
  const target = isDrawn ? strong(isChosen ? token.text : "−100") : faint("·");
  let seen = isDrawn && chip(token, i);
  if (isChosen) seen = faint("…");
  const new_ = replaced.get(i), kind = new_?.branch === "keep" ? "kept" : new_?.branch;
  if (has("replace")) seen = chip(new_, i, { names: [kind] });
  const names = ["", ...ROWS.map((row) => label(`masking/row_${row}`))];
  return html`<div class="column ${done.at(-1)?.[1] === i && "at"}">
    <div class="names" aria-hidden="true">${names.map((name) => html`<span>${name}</span>`)}</div>
    <span class="number">${i}</span>${chip(token, i, { names: [isChosen && "chosen"] })}
    <span class="draw">${token.isSpecial ? faint("–") : draw}</span>
    <span>${has("roll") && die(rolls[i].die)}</span><span>${seen}</span>
    <span class="label">${target}</span></div>`;
}

// The line from 0 to 1 with the zones [MASK], random and kept, and a mark at the number.
function die(value) {
  return html`<span class="zones" title="${thousandths(value)}">
    <i style="left:${100 * value}%"></i><small>${thousandths(value)}</small></span>`;
}

// What the last move did; in words of the course.
function happened(tokens, { replaced }, done, next) {
  const [move, at] = done.at(-1) ?? ["start"], { branch, text, die } = replaced.get(at) ?? {};
  const said = [say(`masking/play.${branch ? `${move}_${branch}` : move}`, {
    count: countToChoose(tokens.length), token: tokens[at]?.text, at, new: text,
    die: branch && thousandths(die) })];
  if (move === "replace") {
    const token = tokens[next?.[1]]?.text;
    said.push(next ? say("masking/play.next", { token, at: next[1] }) : say("masking/play.end"));
  }
  return said;
}

function thousandths(value) { // cut, so that 0.7999 doesn't look like 0.8
  return number(Math.floor(1000 * value) / 1000, ".3f");
}
