// What all views share: the learner's sentence, the worker's answers, chips, bars, the film bar.
//
// Read before this: words.js, tokens.js, worker.js. Read next: views/guess.js; start.js at the end.

import { Tokenizer } from "./tokens.js";
import { about, el, label, weight } from "./words.js";

export const MOST_TOKENS = 64; // of a sentence; more would take seconds on a phone
const PATIENCE = 300; // milliseconds after a key until a sentence is read

export const tokenizer = new Tokenizer(about.vocabulary);
export const page = {
  view: "guess",
  text: label("pocket/default_text"),
  hidden: null, // position of the token that was clicked to be hidden
  redraw() {}, // set by start.js
};

// ---- The worker

const worker = new Worker(URL.createObjectURL(
  new Blob([document.getElementById("worker").textContent], { type: "text/javascript" })));
const waiting = new Map();
let nAsked = 0;

worker.onmessage = ({ data: { number, answer, fault } }) => {
  const { resolve, reject } = waiting.get(number);
  waiting.delete(number);
  if (fault === undefined) resolve(answer);
  else reject(new Error(fault));
};

function post(question, about) {
  return new Promise((resolve, reject) => {
    waiting.set(++nAsked, { resolve, reject });
    worker.postMessage({ number: nAsked, question, about });
  });
}

// The parameters are at the end of the file, so the page is seen before they are read.
export const ready = new Promise((resolve) => {
  document.addEventListener("DOMContentLoaded", resolve);
}).then(() => {
  const element = document.getElementById("weights");
  const packed = element?.textContent.trim() ?? "";
  element?.remove(); // 17 MB that nobody needs twice
  return post("load", { packed, ...about, words: null, vocabulary: null, counts: null });
});

// An answer of the worker; `question` is one of QUESTIONS in worker.js.
export async function ask(question, about) {
  await ready;
  return post(question, about);
}

// ---- The sentence

// Its tokens, cut to MOST_TOKENS, and how many were left out.
export function sentence() {
  const all = tokenizer.tokenize(page.text);
  if (all.length <= MOST_TOKENS) return { tokens: all, nLeftOut: 0 };
  const tokens = [...all.slice(0, MOST_TOKENS - 1), all.at(-1)];
  return { tokens, nLeftOut: all.length - MOST_TOKENS };
}

// Where the blank is, the ids that the model sees, and the hidden token; null if there is no word.
// A typed [MASK] is the blank, else the token that was clicked, else ours, else the rarest one.
export function blanked(tokens) {
  const free = [...tokens.keys()].filter((i) => !tokens[i].isSpecial);
  const typed = tokens.findIndex((token) => token.text === "[MASK]");
  const ours = free.find((i) => tokens[i].text === label("pocket/default_hidden"));
  const clicked = free.find((i) => i === page.hidden);
  const rarest = free.toSorted((a, b) => tokens[b].id - tokens[a].id)[0];
  const blank = typed >= 0 ? typed : clicked ?? ours ?? rarest;
  if (blank === undefined) return null;
  const ids = tokens.map((token, i) => i === blank ? tokenizer.maskId : token.id);
  return { blank, ids, truth: typed >= 0 ? null : tokens[blank] };
}

// The sentence with [MASK] at its blank, for a link to the app.
export function textWithBlank() {
  const { tokens } = sentence(), { blank } = blanked(tokens) ?? {};
  const seen = tokens.map(({ text }, i) => i === blank ? "[MASK]" : text).slice(1, -1);
  return seen.join(" ").replaceAll(" ##", "").replace(/ (?=[.,;:!?])/g, "");
}

// ---- Pieces of a view

export function chip(token, i, tokens, { names = [], onpick, describe } = {}) {
  const classes = ["chip", ...names];
  if (i && token.word !== null && tokens[i - 1].word === token.word) classes.push("joined");
  if (token.isSpecial) classes.push("special");
  if (token.text === "[MASK]") classes.push("mask");
  if (token.text === "[UNK]") classes.push("unknown");
  const [, mark, rest] = token.text.match(/^(##)?(.*)$/su);
  const inside = mark && rest ? [el("span", { class: "mark" }, mark), rest] : [token.text];
  const title = `${token.text}, id ${token.id}, position ${i}`;
  if (!onpick) return el("span", { class: classes.join(" "), title }, ...inside);
  return el("button", {
    type: "button", class: classes.join(" "), title, onclick: () => onpick(i),
    "aria-label": describe?.(token, i), "aria-pressed": String(names.includes("selected")),
  }, ...inside);
}

// A row of chips; `look(i)` gives the names of a chip's classes.
export function chips(tokens, { look = () => [], onpick, describe, canPick = () => true } = {}) {
  return el("div", { class: "chips", role: "group", "aria-label": label("prediction_and_loss/text") },
    ...tokens.map((token, i) => chip(token, i, tokens, {
      names: look(i), describe, onpick: onpick && canPick(i) ? onpick : undefined })));
}

// Likeliest words as bars: [{ text, probability, mark }].
export function bars(rows) {
  return el("ol", { class: "bars", "aria-label": label("pocket/bars_alt") },
    ...rows.map(({ text, probability, mark }) => el("li", { class: mark && "marked" },
      el("span", { class: "word", title: text }, mark ? `${mark} ${text}` : text),
      el("i", { style: `--p:${probability.toFixed(4)}` }),
      el("small", {}, weight(probability)))));
}

export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

export function choice(name, options, value, onchange) {
  return el("fieldset", { class: "choice" }, el("legend", {}, name),
    ...Object.entries(options).map(([key, text]) => el("label", {},
      el("input", { type: "radio", name, value: key, checked: key === value, onchange: () => onchange(key) }),
      el("span", {}, text))));
}

export function slider(name, lowest, highest, value, onchange) {
  const shown = el("output", {}, String(value));
  const oninput = ({ target }) => {
    shown.textContent = target.value;
    onchange(Number(target.value));
  };
  return el("label", { class: "slider" }, `${name} `, shown,
    el("input", { type: "range", min: lowest, max: highest, value, oninput }));
}

// The field of the learner's sentence, which all views share.
export function sentenceField() {
  let timer;
  const oninput = ({ target }) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      Object.assign(page, { text: target.value, hidden: null });
      page.redraw();
    }, PATIENCE);
  };
  return el("label", { class: "sentence-field" }, label("prediction_and_loss/text"),
    el("input", { type: "text", value: page.text, dir: "auto", autocomplete: "off", oninput }));
}

// What is said where a text is too long, or has no word.
export function remarks({ tokens, nLeftOut }) {
  if (nLeftOut) return [el("p", {}, label("pocket/cut", { kept: tokens.length }))];
  return tokens.some((token) => !token.isSpecial) ? [] : [el("p", {}, label("pocket/no_words"))];
}

// Buttons and a slider over the stops of a film. `show(stop)` draws one; it begins with `begins`
// and plays from the start when asked for, or at once unless less motion is wanted.
export function film(nStops, seconds, show, begins = nStops - 1) {
  let timer = null, stop = begins;
  const icon = () => el("i", { "aria-hidden": "true" });
  const moment = el("input", { type: "range", min: 0, max: nStops - 1,
    "aria-label": label("frame/film_moment"), oninput: ({ target }) => go(Number(target.value)) });
  const play = button("", () => timer ? go(stop) : run());
  const go = (to) => {
    clearInterval(timer);
    timer = null;
    stop = Math.max(0, Math.min(nStops - 1, to));
    draw();
  };
  const run = () => {
    go(stop === nStops - 1 ? 0 : stop);
    timer = setInterval(() => {
      stop += 1;
      if (stop >= nStops - 1 || !box.isConnected) go(stop);
      else draw();
    }, 1000 * seconds);
    draw();
  };
  const draw = () => {
    moment.value = stop;
    const name = label(timer ? "frame/film_pause" : "frame/film_play");
    play.replaceChildren(el("span", { class: timer ? "to-pause" : "to-play" }, icon(), name));
    box.classList.toggle("still", !timer);
    show(stop);
  };
  const step = (name, to) => el("button", { type: "button", class: `to-${name}`, onclick: () => go(to()),
    "aria-label": label(`frame/film_${name}`) }, icon());
  const box = el("div", { class: "film waits still" }, el("div", { class: "player" }, step("first", () => 0),
    step("back", () => stop - 1), play, step("next", () => stop + 1), moment));
  draw();
  return { box, run };
}

export function wantsLessMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
