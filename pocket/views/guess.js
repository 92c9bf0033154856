// The first sight: a sentence with a blank, and one field. The model answers when it was opened.
//
// In the course: prediction_and_loss, its part "guess".

import { ask, bars, blanked, button, chips, page, remarks, sentence, sentenceField, tokenizer } from "../page.js";
import { el, label, say } from "../words.js";

const N_WORDS = 6;

export const guessView = {
  name: "guess",
  lesson: "prediction_and_loss",
  parameters: (blankedText) => ({ cloze: blankedText }),
  isOpen: false, // whether the model's words are shown

  show(box) {
    const read = sentence(), at = blanked(read.tokens);
    box.append(el("h1", {}, label("pocket/question")));
    if (!at) return box.append(...remarks(read), sentenceField());
    // In advance, so that the answer is there when somebody has guessed.
    const answer = ask("fill", { ids: at.ids, position: at.blank, n: N_WORDS });
    answer.catch(() => {}); // start.js says that the file is damaged
    const pick = (i) => {
      page.hidden = i;
      close();
    };
    const seen = read.tokens.map((token, i) => i === at.blank ? tokenizer.special("[MASK]") : token);
    box.append(el("div", { class: "sentence-chips" }, chips(seen, {
      onpick: guessView.isOpen && at.truth && pick,
      canPick: (i) => !seen[i].isSpecial,
      describe: (token) => label("pocket/hide_token", { token: token.text }),
    })));
    if (!guessView.isOpen) box.append(field());
    else box.append(answers(at, answer), sentenceField(), ...remarks(read));
  },
};

function close() { // to guess first, again
  Object.assign(guessView, { isOpen: false, word: "" });
  page.redraw();
}

// The one control of the first sight; its button appears as soon as it has the focus.
function field() {
  const input = el("input", { type: "text", id: "guess", dir: "auto", autocomplete: "off", autocapitalize: "off",
    spellcheck: "false", enterkeyhint: "go", placeholder: label("pocket/placeholder") });
  const onsubmit = (event) => {
    event.preventDefault();
    Object.assign(guessView, { isOpen: true, word: input.value.trim() });
    page.redraw();
  };
  return el("form", { class: "guess", onsubmit }, el("label", { for: "guess" }, label("pocket/your_guess")),
    input, el("button", { type: "submit", class: "primary late" }, label("pocket/reveal")));
}

// What the model says, next to what was guessed; a moving line until it is computed.
function answers({ ids, blank, truth }, answer) {
  const box = el("div", { class: "answers", "aria-live": "polite" }, el("p", { class: "working" }, label("pocket/working")));
  const guess = guessView.word ? oneToken(guessView.word) : null;
  const others = [guess?.id, truth?.id].filter((id) => id !== undefined);
  answer.then(({ best }) => ask("fill", { ids, position: blank, n: best.length, others }))
    .then(({ best, others: found }) => {
      const ofId = new Map(found.map((one) => [one.id, one]));
      const rows = [...best, ...found.filter(({ id }, i) =>
        found.findIndex((one) => one.id === id) === i && best.every((one) => one.id !== id))];
      const mark = (id) => id === truth?.id ? "✓" : id === guess?.id ? "→" : undefined;
      box.replaceChildren(
        bars(rows.map(({ id, probability }) => ({ text: tokenizer.vocabulary[id], probability, mark: mark(id) }))),
        ...verdict(guess && ofId.get(guess.id), truth && ofId.get(truth.id)),
        el("p", { class: "row" },
          el("a", { href: "#words", class: "button primary" }, label("pocket/why")),
          button(label("pocket/again"), close)),
        say("pocket/guess.next"));
    }).catch(() => {});
  return box;
}

function verdict(guess, truth) {
  const said = [], n = tokenizer.vocabulary.length;
  if (guess?.rank === 1) said.push(say("pocket/guess.agree", { word: guessView.word }));
  else if (guess) said.push(say("pocket/guess.rank", { rank: guess.rank, n }));
  else if (guessView.word) said.push(say("pocket/guess.no_token", { word: guessView.word }));
  if (truth && truth.id !== guess?.id) {
    said.push(say("pocket/guess.truth", { word: tokenizer.vocabulary[truth.id], rank: truth.rank }));
  }
  return said;
}

function oneToken(word) {
  const tokens = tokenizer.tokenize(word).slice(1, -1);
  return tokens.length === 1 && !tokens[0].isSpecial ? tokens[0] : null;
}
