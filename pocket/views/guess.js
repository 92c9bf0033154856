// The first sight: a sentence with a blank, and one field. The model answers when it was guessed.

import { ask, bars, button, chips, page, tokenizer, WORKING } from "../page.js";
import { html, label, say } from "../words.js";

const N_WORDS = 6;

export const guessView = {
  name: "guess",
  question: "pocket/question",
  state: { isOpen: false, word: "" }, // whether the model's words are shown; the guess
  lesson: "prediction_and_loss",
  parameters: ({ masked }) => ({ cloze: masked }),

  // The one control of the first sight; its button appears as soon as it has the focus.
  controls: ({ isOpen }) => !isOpen && html`<form class="guess">
    <label for="guess">${label("pocket/your_guess")}</label>
    <input type="text" id="guess" name="word" dir="auto" autocomplete="off" autocapitalize="off"
      spellcheck="false" enterkeyhint="go" placeholder="${label("pocket/placeholder")}">
    <button type="submit" class="primary late">${label("pocket/reveal")}</button></form>`,

  async *figure({ ids, blank, seen, truth }, { isOpen, word }) {
    const press = ({ isSpecial, text }) =>
      isOpen && truth && !isSpecial ? label("pocket/hide_token", { token: text }) : "";
    const row = chips(seen, (token) => ({ press: press(token) }));
    const sentence = html`<div class="sentence-chips">${row}</div>`;
    yield isOpen ? html`${sentence}${WORKING}` : sentence;

    // Before the guess too, so that the answer is there by then.
    const guess = oneToken(word), others = [guess, truth].filter(Boolean).map(({ id }) => id);
    const [{ best, others: found }] =
      await ask("fill", { ids, positions: [blank], n: N_WORDS, others });
    if (!isOpen) return;
    const words = new Map([...best, ...found].map((one) => [one.id, one])); // each once
    const mark = (id) => id === truth?.id ? "✓" : id === guess?.id ? "→" : "";
    yield html`${sentence}${bars([...words.values()], mark)}
      <div class="said">${verdict(word, words.get(guess?.id), words.get(truth?.id))}</div>
      <p class="row"><a href="#words" class="button primary">${label("pocket/why")}</a>
      ${button("again", label("pocket/again"))}</p>${say("pocket/guess.next")}`;
  },

  click(value) { // "again", or another word to hide
    if (value !== "again") page.hidden = Number(value);
    Object.assign(guessView.state, { isOpen: false, word: "" });
  },
};

function oneToken(word) {
  const tokens = tokenizer.tokenize(word).slice(1, -1);
  return tokens.length === 1 && !tokens[0].isSpecial ? tokens[0] : undefined;
}

function verdict(word, guess, truth) {
  const said = [], n = tokenizer.vocabulary.length;
  if (guess?.rank === 1) said.push(say("pocket/guess.agree", { word }));
  else if (guess) said.push(say("pocket/guess.rank", { rank: guess.rank, n }));
  else if (word) said.push(say("pocket/guess.no_token", { word }));
  if (truth && truth.id !== guess?.id) {
    said.push(say("pocket/guess.truth", { ...truth, word: tokenizer.vocabulary[truth.id] }));
  }
  return said;
}
