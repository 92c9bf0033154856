// Puts the page together: the views, what leads from one to the other, and "How right is this?".
//
// Read before this: page.js, and the views that you want to know.

import { ask, MOST_TOKENS, page, ready, sentence, textWithBlank, tokenizer } from "./page.js";
import { countToChoose } from "./masking.js";
import { about, el, label, say } from "./words.js";
import { guessView } from "./views/guess.js";
import { layersView } from "./views/layers.js";
import { lossView } from "./views/loss.js";
import { corruptionOf, maskingView } from "./views/masking.js";
import { maskView } from "./views/mask.js";
import { occlusion, wordsAround, wordsView } from "./views/words.js";
import { unmask, writeView } from "./views/write.js";

const VIEWS = [guessView, maskView, maskingView, lossView, layersView, wordsView, writeView];
const LONGEST_LINK = 300; // characters of a sentence in a link, as many as servers take
const main = document.querySelector("main"), nav = document.querySelector("nav");
let nShown = 0, fault = null;

page.redraw = ({ focus } = {}) => {
  const view = VIEWS.find(({ name }) => name === page.view), shown = ++nShown;
  const was = document.activeElement?.closest(".sentence-field") && document.activeElement;
  const { selectionStart, value } = was || {};
  const box = el("div", { class: `view ${view.name}` });
  // Until the first answer nothing else is on the screen.
  const isFirst = view === guessView && !guessView.isOpen;
  document.body.classList.toggle("first", isFirst);
  if (isFirst) main.after(nav);
  else main.before(nav);
  nav.replaceChildren(el("ol", {}, ...VIEWS.map(({ name }) => el("li", {},
    el("a", { href: `#${name}`, "aria-current": name === view.name && "page" }, label(`pocket/view_${name}`))))));
  const here = nav.querySelector("[aria-current]");
  nav.firstChild.scrollLeft = here.offsetLeft - (nav.clientWidth - here.clientWidth) / 2;
  main.replaceChildren(box);
  if (fault) {
    box.append(el("p", { role: "alert", class: "fault" }, label(fault)));
    return;
  }
  Promise.resolve(view.show(box, () => shown === nShown)).catch((error) => {
    if (!fault) throw error;
  });
  if (!isFirst) box.append(...linkToLesson(view));
  const again = was && box.querySelector(".sentence-field input");
  if (again) {
    again.focus();
    if (again.value === value) again.setSelectionRange(selectionStart, selectionStart);
  }
  if (focus) box.querySelector(focus)?.focus();
};

// The lesson of a view in the course, with the sentence along; nothing where no address is known.
function linkToLesson({ lesson, parameters }) {
  if (!about.app) return [];
  const link = new URLSearchParams(about.language === "en" ? {} : { lang: about.language });
  const values = parameters(textWithBlank(), page.text);
  for (const [name, value] of Object.entries(values)) {
    if (String(value).length <= LONGEST_LINK) link.set(`${lesson}_${name}`, value);
  }
  const title = label(`${lesson}/title`);
  return [el("p", { class: "to-lesson" },
    el("a", { href: `${about.app}/${lesson}?${link}`, rel: "noopener" }, label("pocket/lesson", { title })))];
}

function showRest() {
  const { measured, app } = about;
  const rest = { most: MOST_TOKENS, model: about.model, hash: about.hash, version: about.version };
  document.querySelector("footer").replaceChildren(
    el("details", {}, el("summary", {}, label("pocket/right")),
      about.bits === 8 && measured.n ? say("pocket/right.numbers", measured) : "",
      about.bits === 8 ? "" : say("pocket/right.float"),
      say("pocket/right.rest", rest),
      app ? el("p", {}, say("pocket/right.course"), el("a", { href: app }, app)) : say("pocket/right.no_course")),
    ...(about.other ? [el("a", { href: about.other, lang: about.language === "en" ? "de" : "en" }, label("pocket/other"))] : []));
}

function follow() {
  const name = location.hash.slice(1);
  if (VIEWS.every((view) => view.name !== name) || name === page.view) return;
  page.view = name;
  page.redraw();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

// For tests and for the curious, in the browser's console: what the page computes with.
window.unmask = { about, ask, corruptionOf, countToChoose, occlusion, page, sentence, tokenizer, unmask, wordsAround };

if (typeof DecompressionStream === "undefined" || !Array.prototype.toSorted) fault = "pocket/too_old";
ready.catch(() => {
  fault ??= "pocket/damaged";
  page.redraw();
});
showRest();
addEventListener("hashchange", follow);
page.view = VIEWS.find((view) => `#${view.name}` === location.hash)?.name ?? "guess";
page.redraw();
