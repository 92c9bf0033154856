// Runs beside the page, so that the page stays alive: loads the parameters, answers questions.
//
//     page   { question: "fill", about: {...} } and a port for the answer
//     worker { answer } or { fault }
//
// Read before this: encoder.js. Read next: page.js, which asks.

import { encode, maskedLanguageLogits, softmax } from "./encoder.js";

const loaded = Promise.withResolvers();
let bert, latest = {}; // the last text that was read, which the next question is often about too

const QUESTIONS = {
  // The parameters: base64 of deflated bytes, and a list of [name, number of rows, of columns].
  async load({ packed, matrices, bits, nHeads }) {
    bert = { nHeads, ...nested(parameters(await unpacked(packed), matrices, bits)) };
    bert.blocks = Object.values(bert.blocks);
    loaded.resolve();
  },

  // For each position the `n` likeliest tokens, and the probability and rank of some others.
  fill({ ids, positions, n, others = [] }) {
    const states = read(ids).states.at(-1);
    return choices(positions.map((position) => stateAt(states, ids, position)), n, others);
  },

  // The same for the state at one position after each layer: the logit lens.
  lens({ ids, position, n, others = [] }) {
    return choices(QUESTIONS.states({ ids, position }), n, others);
  },

  // The vectors of one position after each layer.
  states({ ids, position, causal }) {
    return read(ids, causal).states.map((states) => stateAt(states, ids, position));
  },

  // The attention weights of each layer: [head, query, key], row after row.
  attention({ ids, causal }) {
    return read(ids, causal).weights;
  },
};

function read(ids, causal = false) {
  const key = `${causal} ${ids}`;
  if (latest.key !== key) latest = { key, encoding: encode(bert, ids, { causal }) };
  return latest.encoding;
}

// One token's row of a matrix [token, hidden].
function stateAt(states, ids, position) {
  const hidden = states.length / ids.length;
  return states.slice(position * hidden, (position + 1) * hidden);
}

// What the head reads from each state; rank 1 is the likeliest token.
function choices(states, n, others) {
  const joined = Float32Array.from(states.flatMap((state) => [...state]));
  const logits = maskedLanguageLogits(bert, joined, states.length);
  const nEntries = logits.length / states.length;
  return states.map((_, k) => {
    const row = logits.subarray(k * nEntries, (k + 1) * nEntries), probabilities = softmax(row);
    const rank = (id) => 1 + row.filter((logit) => logit > row[id]).length;
    const one = (id) => ({ id, probability: probabilities[id], rank: rank(id) });
    const lowest = row.toSorted().at(-n); // of the likeliest: only few need to be put in order
    const likely = [...row.keys()].filter((id) => row[id] >= lowest);
    const best = likely.sort((a, b) => row[b] - row[a]).slice(0, n);
    return { best: best.map(one), others: others.map(one) };
  });
}

async function unpacked(packed) {
  const letters = atob(packed), deflated = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) deflated[i] = letters.charCodeAt(i);
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer(); // a checksum is at its end
}

// A vector is in float32. Of a matrix, first each row's scale is, then its rows are whole numbers
// from -127 to 127 (mlm_core/inside/quantized.py); with 32 bits, it is in float32 as well.
function parameters(bytes, matrices, bits) {
  let at = 0;
  const next = (Numbers, count) =>
    new Numbers(bytes.slice(at, at += count * Numbers.BYTES_PER_ELEMENT));
  return matrices.map(([name, nRows, nColumns]) => {
    if (bits === 32 || nRows === 1) return [name, next(Float32Array, nRows * nColumns)];
    const scales = next(Float32Array, nRows);
    const weights = Float32Array.from(next(Int8Array, nRows * nColumns));
    for (let i = 0; i < weights.length; i++) weights[i] *= scales[Math.floor(i / nColumns)];
    return [name, weights];
  });
}

// "blocks.0.inner.weight" becomes blocks[0].inner.weight, as in the modules of mlm_core.
function nested(named) {
  const root = {};
  for (const [name, values] of named) {
    const path = name.split("."), last = path.pop();
    path.reduce((at, step) => at[step] ??= {}, root)[last] = values;
  }
  return root;
}

onmessage = async ({ data: { question, about }, ports: [port] }) => {
  try {
    if (question !== "load") await loaded.promise;
    port.postMessage({ answer: await QUESTIONS[question](about) });
  } catch (fault) {
    port.postMessage({ fault });
  }
};
