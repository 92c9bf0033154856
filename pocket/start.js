// Puts the page together: what is seen follows from the sentence, the view and the view's state.
//
//     name, question, lead, notice   of a view: its name, and the words around its figure
//     state                what controls and clicks set; a new sentence sets `ofSentence` back
//     controls(state)      markup of its inputs; each has the name of what it sets in the state
//     figure(read, state)  markup of its figure, which may come in several stages
//     click(value, read)   what a click on a data-value of the figure does
//     lesson, parameters   where the course has the same, and with which values
//
// Read before this: page.js, and the views that you want to know.

import drawingScript from "../pages/server/figures/drawing_script.js";
import { loaded, MOST_TOKENS, page, sentence, worker, WORKING } from "./page.js";
import { about, html, label, say } from "./words.js";
import { guessView } from "./views/guess.js";
import { layersView } from "./views/layers.js";
import { lossView } from "./views/loss.js";
import { maskingView } from "./views/masking.js";
import { maskView } from "./views/mask.js";
import { wordsView } from "./views/words.js";
import { writeView } from "./views/write.js";

const VIEWS = [guessView, maskView, maskingView, lossView, layersView, wordsView, writeView];
const LONGEST_LINK = 300; // characters of a sentence in a link, as many as servers take
const PATIENCE = 300; // milliseconds after a key until a sentence is read

const find = (selector) => document.querySelector(selector);
const put = (selector, made) => { find(selector).innerHTML = html`${made}`.text; };
const main = find("main"), nav = find("nav"), field = find(".sentence-field input");
const controls = find(".controls"), figure = find(".figure");
let view, nDrawn = 0, drawnFor, typing;

// ---- What is seen

function open(name) {
  view = VIEWS.find((one) => one.name === name) ?? guessView;
  main.className = `view ${view.name}`;
  put("h1", label(view.question));
  put(".lead", view.lead && say(view.lead));
  put(".notice", view.notice && say(view.notice));
  put("nav ol", VIEWS.map(({ name }) => html`<li><a href="#${name}"
    aria-current="${name === view.name && "page"}">${label(`pocket/view_${name}`)}</a></li>`));
  const here = find("nav [aria-current=page]");
  nav.firstElementChild.scrollLeft = here.offsetLeft - (nav.clientWidth - here.clientWidth) / 2;
  figure.replaceChildren(Object.assign(document.createElement("div"), { className: "drawing" }));
  // In "guess" the figure is the sentence, elsewhere it follows from what is above it.
  (view === guessView ? find(".lead") : controls).after(figure);
  draw();
}

// `used` is the control that is in use: it stays, so that a finger on a slider keeps it.
export async function draw(used) {
  const turn = ++nDrawn, read = sentence(), key = JSON.stringify(page);
  if (key !== drawnFor) for (const one of VIEWS) Object.assign(one.state, one.ofSentence);
  drawnFor = key;
  // Until the first answer nothing else is on the screen.
  const isFirst = view === guessView && !view.state.isOpen;
  document.body.classList.toggle("first", isFirst);
  if ((nav.previousElementSibling === main) !== isFirst) main[isFirst ? "after" : "before"](nav);
  drawControls(used);
  put(".remarks", read.nLeftOut ? label("pocket/cut", { kept: read.tokens.length })
    : read.tokens.every(({ isSpecial }) => isSpecial) && label("pocket/no_words"));
  put(".to-lesson", about.app && linkToLesson(read));
  figure.hidden = read.blank === undefined;
  if (figure.hidden) return;
  if (!find(".drawing").firstChild) show(WORKING);
  figure.classList.add("computing");
  try {
    for await (const made of view.figure(read, view.state)) {
      if (turn !== nDrawn) return; // something has changed meanwhile
      await show(made);
    }
  } catch (fault) {
    if (turn === nDrawn) show(html`<p class="fault said">${label("pocket/stopped")}</p>`);
    throw fault; // for the browser's console
  }
}

async function show(made) {
  figure.classList.remove("computing");
  await window.mlmDrawings.draw({ data: made.text, parentElement: figure, setTriggerValue: click });
  const said = find(".drawing .said")?.textContent ?? ""; // for a screen reader
  if (find("#said").textContent !== said) find("#said").textContent = said;
}

function drawControls(used) {
  const made = document.createElement("template");
  made.innerHTML = html`${view.controls?.(view.state)}`.text;
  if (!used) return controls.replaceChildren(made.content);
  [...made.content.children].forEach((one, i) => {
    if (!controls.children[i].contains(used)) controls.children[i].replaceWith(one);
  });
}

// The lesson of a view in the course, with the sentence along.
function linkToLesson(read) {
  const { lesson } = view, link = new URLSearchParams();
  if (about.language !== "en") link.set("lang", about.language);
  for (const [name, value] of Object.entries(view.parameters(read, view.state))) {
    if (String(value).length <= LONGEST_LINK) link.set(`${lesson}_${name}`, value);
  }
  return html`<a href="${about.app}/${lesson}?${link}" rel="noopener">
    ${label("pocket/lesson", { title: label(`${lesson}/title`) })}</a>`;
}

function putFooter() {
  const { app, bits, language, measured, other } = about;
  put("footer", html`<details><summary>${label("pocket/right")}</summary>
    ${bits === 8 ? say("pocket/right.numbers", measured) : say("pocket/right.float")}
    ${say("pocket/right.rest", { ...about, most: MOST_TOKENS })}
    ${say(app ? "pocket/right.course" : "pocket/right.no_course")}
    ${app && html`<p><a href="${app}">${app}</a></p>`}</details>
    ${other && html`<a href="${other}" lang="${language === "en" ? "de" : "en"}">
      ${label("pocket/other")}</a>`}`);
}

// ---- What a reader does

function click(_, value) {
  view.click(value, sentence());
  draw();
  find("#guess")?.focus(); // where it is guessed again
}

main.oninput = ({ target }) => {
  const { name, type, min, max, value, form } = target;
  if (form || target === field) return; // a form is sent as a whole
  const within = Math.max(min, Math.min(max, Math.floor(value) || 0));
  view.state[name] = type === "radio" ? value : within;
  if (type === "range") target.parentElement.querySelector("output").value = within;
  draw(target);
};

field.oninput = () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    Object.assign(page, { text: field.value, hidden: null });
    draw();
  }, PATIENCE);
};

main.onsubmit = (event) => {
  event.preventDefault();
  Object.assign(view.state, { isOpen: true, word: event.target.elements.word.value.trim() });
  draw();
};

addEventListener("hashchange", () => {
  open(location.hash.slice(1));
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
});

function fail(key) {
  main.className = nav.className = "damaged";
  find("#fault").textContent ||= label(key); // the first one is the cause
}

window.unpack = async (text) => text; // drawingScript asks for it: the app's drawings are packed
drawingScript("");
field.value = page.text;
putFooter();
if (Promise.withResolvers && window.DecompressionStream) open(location.hash.slice(1));
else fail("pocket/too_old");
loaded.catch(() => fail("pocket/damaged"));
worker.onerror = () => fail("pocket/stopped");
