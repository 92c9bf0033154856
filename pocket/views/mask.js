// The mask switch, and all attention heads on the learner's sentence.

import { ask, chips, choice } from "../page.js";
import { about, html, label, say, weight } from "../words.js";

const BLUE = [0, 114, 178]; // as mlm_core/figures/theme.py

export const maskView = {
  name: "mask",
  question: "attention_mask/question",
  notice: "attention_mask/flow.notice",
  // Layer and head from 0; this head looks at neighbours. `query` is the position that looks.
  state: { kind: "bidirectional", layer: 0, head: 3, query: 2 },
  lesson: "attention_mask",
  parameters: ({ text }, { kind, layer, head }) =>
    ({ part: "flow", text, kind, layer: layer + 1, head: head + 1 }),

  controls: ({ kind }) => choice("kind", label("attention_mask/mask"), kind, {
    causal: label("attention_mask/mask_causal"),
    bidirectional: label("attention_mask/mask_bidirectional"),
  }),

  async *figure({ tokens }, { kind, layer, head, query }) {
    const ids = tokens.map(({ id }) => id), n = ids.length, causal = kind === "causal";
    const layers = await ask("attention", { ids, causal });
    const at = Math.min(query, n - 1), nSeen = causal ? at + 1 : n;
    const row = layers[layer].subarray((head * n + at) * n, (head * n + at + 1) * n);
    const most = row.indexOf(Math.max(...row));
    const place = { layer: layer + 1, head: head + 1 };
    yield html`<h2>${label("pocket/shown_layer", place)}</h2>
      ${chips(tokens, (token, i) => ({
        names: [i === at && "selected", i >= nSeen && "blocked"],
        press: label("pocket/choose_token", { token: token.text, at: i }),
        style: `--p:${row[i].toFixed(3)}`,
        more: html`<small>${weight(row[i])}</small>`,
      }))}
      <div class="said">${say("attention_mask/flow.in_words", { token: tokens[at].text,
        position: at, n: nSeen, of: n, most: tokens[most].text, weight: row[most] })}</div>
      <div class="pair">
        <div class="matrix" role="img" aria-label="${label("pocket/matrix_alt", place)}">
          <img src="${picture(layers[layer], head, n)}" alt="">
          <i style="top:${100 * at / n}%;height:${100 / n}%"></i></div>
        <div>${say("pocket/heads.lead")}${heads(layers, maskView.state, n)}</div></div>`;
  },

  click(value) { // a token's position, or a layer and a head
    const [first, head] = value.split("-").map(Number);
    Object.assign(maskView.state, head === undefined ? { query: first } : { layer: first, head });
  },
};

// Two layers in a row. The arrow keys lead from head to head, Tab to the one that is shown.
function heads(layers, shown, n) {
  const { nHeads } = about;
  const buttons = layers.flatMap((weights, layer) => Array.from({ length: nHeads }, (_, head) => {
    const name = label("pocket/shown_layer", { layer: layer + 1, head: head + 1 });
    const isShown = layer === shown.layer && head === shown.head;
    return html`<button type="button" title="${name}" aria-label="${name}"
      aria-pressed="${String(isShown)}" tabindex="${isShown ? 0 : -1}" data-value="${layer}-${head}"
      data-row="${Math.floor(layer / 2)}" data-column="${layer % 2 * nHeads + head}">
      <img src="${picture(weights, head, n)}" alt=""></button>`;
  }));
  return html`<div class="heads" role="group" aria-label="${label("pocket/heads_alt")}"
    style="--columns:${2 * nHeads}">${buttons}</div>`;
}

// One head's weights [query, key] as a picture, a pixel each: the larger, the deeper its blue.
function picture(weights, head, n) {
  const canvas = Object.assign(document.createElement("canvas"), { width: n, height: n });
  const pixels = new ImageData(n, n);
  for (let i = 0; i < n * n; i++) {
    pixels.data.set([...BLUE, 255 * weights[head * n * n + i]], 4 * i);
  }
  canvas.getContext("2d").putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}
