// What all views share: the learner's sentence, the worker's answers, chips, bars, controls, films.
//
// A figure is markup. The script that shows the app's drawings shows it, plays it as a film and
// reports which `data-value` was clicked: pages/server/figures/drawing_script.js.
//
// Read before this: words.js, tokens.js, worker.js. Read next: views/guess.js; start.js at the end.

import { Tokenizer } from "./tokens.js";
import { about, html, label, Markup, weight } from "./words.js";

export const MOST_TOKENS = 64; // of a sentence; more would take seconds on a phone

export const tokenizer = new Tokenizer(about.vocabulary);
export const page = {
  text: label("pocket/default_text"),
  hidden: null, // position of the token that was clicked to be hidden
};

// ---- The worker

export const worker = new Worker(URL.createObjectURL(
  new Blob([document.getElementById("worker").textContent], { type: "text/javascript" })));

// An answer of the worker; `question` is one of QUESTIONS in worker.js. A damaged file gives none.
export function ask(question, about) {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: { answer, fault } }) => fault ? reject(fault) : resolve(answer);
    worker.postMessage({ question, about }, [port2]);
  });
}

// The parameters are at the end of the file, so the page is seen before they are read.
export const loaded = new Promise((resolve) => {
  document.addEventListener("DOMContentLoaded", resolve);
}).then(() => {
  const element = document.getElementById("weights"), { matrices, bits, nHeads } = about;
  const packed = element?.textContent.trim() ?? "";
  element?.remove(); // 17 MB that nobody needs twice
  return ask("load", { packed, matrices, bits, nHeads });
});

// ---- The sentence

// Its tokens, cut to MOST_TOKENS, and how many were left out. `blank` is the position to predict,
// undefined without a word; `seen` are the tokens with [MASK] there, `ids` are theirs, `masked` is
// their text; `truth` is the token that is hidden.
export function sentence() {
  const all = tokenizer.tokenize(page.text), nLeftOut = Math.max(0, all.length - MOST_TOKENS);
  const tokens = nLeftOut ? [...all.slice(0, MOST_TOKENS - 1), all.at(-1)] : all;
  const free = [...tokens.keys()].filter((i) => !tokens[i].isSpecial);
  // A typed [MASK] is the blank, else the token that was clicked, else ours, else the rarest one.
  const typed = tokens.findIndex(({ text }) => text === "[MASK]");
  const clicked = free.find((i) => i === page.hidden);
  const ours = free.find((i) => tokens[i].text === label("pocket/default_hidden"));
  const rarest = free.toSorted((a, b) => tokens[b].id - tokens[a].id)[0];
  const blank = typed >= 0 ? typed : clicked ?? ours ?? rarest;
  const seen = tokens.map((token, i) => i === blank ? tokenizer.special("[MASK]") : token);
  const truth = typed >= 0 ? undefined : tokens[blank];
  const ids = seen.map(({ id }) => id), masked = textOf(seen.slice(1, -1));
  return { text: page.text, tokens, nLeftOut, blank, seen, ids, masked, truth };
}

// The text of tokens, with subwords joined.
export function textOf(tokens) {
  const joined = tokens.map(({ text }) => text).join(" ").replaceAll(" ##", "");
  return joined.replace(/ (?=[.,;:!?])/g, "");
}

// ---- Pieces of a figure

export const WORKING = html`<p class="working">${label("pocket/working")}</p>`;

// Tokens as in mlm_core/figures/chips.py. `look(token, i)` gives what chip() takes for each.
export function chips(tokens, look = () => ({})) {
  const all = tokens.map((token, i) => chip(token, i, {
    isJoined: i > 0 && token.word !== null && token.word === tokens[i - 1].word,
    ...look(token, i),
  }));
  const name = label("prediction_and_loss/text");
  return html`<div class="chips" role="group" aria-label="${name}">${all}</div>`;
}

// With `press`, which says what a click does, it is a button. `names` are classes, `more` is below.
export function chip(token, i, { names = [], isJoined, press, style, more } = {}) {
  const { text, isSpecial } = token, [, mark, rest] = text.match(/^(##)?(.*)$/su);
  const classes = ["chip", ...names, isJoined && "joined", isSpecial && "special",
    text === "[MASK]" && "mask", text === "[UNK]" && "unknown"].filter(Boolean).join(" ");
  const shown = mark && rest ? html`<span class="mark">${mark}</span>${rest}` : text;
  const title = `${text}, id ${token.id}, position ${i}`;
  const look = html`class="${classes}" title="${title}" style="${style}"`;
  if (!press) return html`<span ${look}>${shown}${more}</span>`;
  return html`<button type="button" ${look} aria-label="${press}" data-value="${i}"
    aria-pressed="${String(names.includes("selected"))}">${shown}${more}</button>`;
}

// Likeliest words as bars; `mark(id)` is what is put before a word.
export function bars(words, mark) {
  const rows = words.map(({ id, probability }) => {
    const word = tokenizer.vocabulary[id], sign = mark(id);
    return html`<li class="${sign && "marked"}">
      <span class="word" title="${word}">${sign ? `${sign} ${word}` : word}</span>
      <i style="--p:${probability.toFixed(4)}"></i><small>${weight(probability)}</small></li>`;
  });
  return html`<ol class="bars" aria-label="${label("pocket/bars_alt")}">${rows}</ol>`;
}

// A film as in mlm_core/figures/film.py; `said[i]` is what is said at stop i, where all appears
// whose style is at(i).
export function film({ kind, seconds, said, begins = 0, alt }, drawing) {
  const milliseconds = (stop) => Math.round(1000 * seconds * stop);
  const lines = said.map((words, i) => html`<li style="${at(i)}--for:${seconds}s">${words}</li>`);
  const stops = html`<ol class="stops" aria-hidden="true">${lines}</ol>`;
  const ends = said.map((_, i) => milliseconds(i + 1) - 20).join(" ");
  return html`<div class="film ${kind}" role="group" aria-label="${alt}" data-stops="${ends}"
    data-begins="${milliseconds(begins)}"
    style="--step:${seconds}s; --for:${seconds * said.length}s">
    ${new Markup(about.player.replace("{{said}}", () => stops.text))}
    <div class="told" aria-live="polite">${said.at(-1)}</div>${drawing}</div>`;
}

export function at(stop) {
  return `--at:calc(${stop} * var(--step));`;
}

// ---- Controls: each has the name of what it sets in the view's state

export function choice(name, title, value, options) {
  const all = Object.entries(options).map(([key, text]) => html`<label>
    <input type="radio" name="${name}" value="${key}" ${key === value && "checked"}>
    <span>${text}</span></label>`);
  return html`<fieldset class="choice"><legend>${title}</legend>${all}</fieldset>`;
}

export function slider(name, title, lowest, highest, value) {
  return html`<label class="slider">${title} <output>${value}</output>
    <input type="range" name="${name}" min="${lowest}" max="${highest}" value="${value}"></label>`;
}

export function button(value, text, kind = "") {
  return html`<button type="button" class="${kind}" data-value="${value}">${text}</button>`;
}
