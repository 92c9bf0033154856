// The mask switch, and all attention heads on the learner's sentence.
//
// In the course: attention_mask, its parts "flow" and "heads".

import { ask, chips, choice, page, remarks, sentence, sentenceField } from "../page.js";
import { about, el, label, say, weight } from "../words.js";

const SIDE = 64, LARGE = 320; // pixels of a head, and of the one that is looked at
const BLUE = "0, 114, 178"; // as mlm_core/figures/theme.py

export const maskView = {
  name: "mask",
  lesson: "attention_mask",
  parameters: (_, text) => ({ part: "flow", text, kind: maskView.mask, layer: maskView.layer + 1, head: maskView.head + 1 }),
  mask: "bidirectional",
  layer: 0, // from 0; this head looks at neighbours
  head: 3,
  query: 2,

  async show(box, isCurrent) {
    const read = sentence(), { tokens } = read, n = tokens.length;
    const figures = el("div", { class: "figures", "aria-live": "off" }, el("p", { class: "working" }, label("pocket/working")));
    const options = Object.fromEntries(["causal", "bidirectional"]
      .map((name) => [name, label(`attention_mask/mask_${name}`)]));
    box.append(el("h1", {}, label("attention_mask/question")), sentenceField(), ...remarks(read),
      choice(label("attention_mask/mask"), options, maskView.mask, (mask) => {
        maskView.mask = mask;
        compute();
      }), figures, say("attention_mask/flow.notice"));
    await compute();

    async function compute() {
      figures.classList.add("computing");
      const mask = maskView.mask;
      const layers = await ask("attention", { ids: tokens.map(({ id }) => id), causal: mask === "causal" });
      if (!isCurrent() || mask !== maskView.mask) return;
      figures.classList.remove("computing");
      draw(layers);
    }

    function draw(layers) {
      const { layer, head } = maskView, query = Math.min(maskView.query, n - 1);
      const row = layers[layer].subarray((head * n + query) * n, (head * n + query + 1) * n);
      const nSeen = maskView.mask === "causal" ? query + 1 : n;
      const most = row.indexOf(Math.max(...row));
      const looked = chips(tokens, {
        look: (i) => [...(i === query ? ["selected"] : []), ...(i >= nSeen ? ["blocked"] : [])],
        describe: (token, i) => label("pocket/choose_token", { token: token.text, at: i }),
        onpick: (i) => {
          maskView.query = i;
          draw(layers);
          figures.querySelectorAll(".chip")[i].focus();
        },
      });
      [...looked.children].forEach((one, i) => {
        one.style.setProperty("--p", row[i].toFixed(3));
        one.append(el("small", {}, weight(row[i])));
      });
      const place = { layer: layer + 1, head: head + 1 };
      const matrix = el("canvas", { class: "matrix", role: "img", width: LARGE, height: LARGE,
        "aria-label": label("pocket/matrix_alt", place) });
      paint(matrix, layers[layer], head, n, query);
      figures.replaceChildren(
        el("h2", {}, label("pocket/shown_layer", place)),
        looked,
        say("attention_mask/flow.in_words", { token: tokens[query].text, position: query, n: nSeen, of: n,
          most: tokens[most].text, weight: row[most] }),
        matrix,
        say("attention_mask/heads.lead"),
        headsOf(layers));
    }

    function headsOf(layers) {
      const heads = layers.flatMap((_, layer) => Array.from({ length: about.nHeads }, (_, head) => ({ layer, head })));
      const isShown = (one) => one.layer === maskView.layer && one.head === maskView.head;
      const buttons = heads.map((one, k) => {
        const name = label("pocket/shown_layer", { layer: one.layer + 1, head: one.head + 1 });
        const canvas = el("canvas", { width: SIDE, height: SIDE, "aria-hidden": "true" });
        paint(canvas, layers[one.layer], one.head, n);
        return el("button", { type: "button", title: name, "aria-label": name, "aria-pressed": String(isShown(one)),
          tabindex: isShown(one) ? 0 : -1, onclick: () => open(one, k) }, canvas);
      });
      const open = (one, k) => {
        Object.assign(maskView, one);
        draw(layers);
        figures.querySelectorAll(".heads button")[k].focus({ preventScroll: true });
      };
      const onkeydown = (event) => { // the arrow keys lead from head to head
        const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: about.nHeads, ArrowUp: -about.nHeads }[event.key];
        const to = buttons[buttons.indexOf(document.activeElement) + step];
        if (!step || !to) return;
        event.preventDefault();
        to.focus();
      };
      return el("div", { class: "heads", role: "group", "aria-label": label("pocket/heads_alt"), onkeydown,
        style: `--heads: ${about.nHeads}` }, ...buttons);
    }
  },
};

// One head's weights [query, key] as shades of blue, 0 to 1; a query's row is framed.
function paint(canvas, weights, head, n, query = -1) {
  const context = canvas.getContext("2d"), size = canvas.width / n;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      context.fillStyle = `rgba(${BLUE}, ${weights[(head * n + i) * n + j]})`;
      context.fillRect(j * size, i * size, size, size);
    }
  }
  if (query < 0) return;
  context.strokeStyle = `rgb(${BLUE})`;
  context.lineWidth = 2;
  context.strokeRect(1, query * size + 1, canvas.width - 2, size - 2);
}
