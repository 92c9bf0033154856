// Runs beside the page, so that the page stays alive: loads the parameters, answers questions.
//
//     page   { number, question: "fill", about: {...} }
//     worker { number, answer } or { number, fault }
//
// Read before this: encoder.js. Read next: page.js, which asks.

import { encode, maskedLanguageLogits, softmax, stateAt } from "./encoder.js";

let bert;
let latest = {}; // the last text that was read, which the next question is often about too

const QUESTIONS = {
  // The parameters: base64 of deflated bytes, and a list of [name, number of rows, of columns].
  async load({ packed, matrices, bits, nHeads }) {
    const bytes = await unpacked(packed);
    bert = { nHeads, ...nested(parameters(bytes, matrices, bits)) };
    bert.blocks = Object.values(bert.blocks);
    return bytes.length;
  },

  // The likeliest tokens at a position, and the probability and rank of some others.
  fill({ ids, position, n = 6, others = [], causal = false }) {
    const { states } = read(ids, causal);
    return choices(stateAt(states.at(-1), ids.length, position), n, others);
  },

  // The same for the state at that position after each layer: the logit lens.
  lens({ ids, position, n = 3, others = [] }) {
    return read(ids, false).states.map((state) =>
      choices(stateAt(state, ids.length, position), n, others));
  },

  // The attention weights of each layer: [head, query, key], row after row.
  attention({ ids, causal = false }) {
    return read(ids, causal).weights;
  },

  // The vectors of one position after each layer.
  states({ ids, position, causal = false }) {
    return read(ids, causal).states.map((state) => stateAt(state, ids.length, position).slice());
  },
};

function read(ids, causal) {
  const key = `${causal} ${ids}`;
  if (latest.key !== key) latest = { key, encoding: encode(bert, ids, { causal }) };
  return latest.encoding;
}

// The likeliest tokens of a state, and some others, each with its rank, 1 for the likeliest.
function choices(state, n, others) {
  const logits = maskedLanguageLogits(bert, state), probabilities = softmax(logits);
  const rank = (id) => logits.reduce((sum, logit) => sum + (logit > logits[id]), 1);
  const one = (id) => ({ id, probability: probabilities[id], rank: rank(id) });
  const ids = [...logits.keys()].sort((a, b) => logits[b] - logits[a]);
  return { best: ids.slice(0, n).map(one), others: others.map(one) };
}

async function unpacked(packed) {
  const letters = atob(packed), deflated = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) deflated[i] = letters.charCodeAt(i);
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer()); // a checksum is at its end
}

// First the numbers in float32: vectors whole, and for each row of a matrix its scale. Then the
// rows as whole numbers from -127 to 127 (mlm_core/inside/quantized.py). With 32 bits, all float32.
function parameters(bytes, matrices, bits) {
  const isWhole = (nRows) => bits === 8 && nRows > 1;
  const count = (each) => each.reduce((sum, n) => sum + n, 0);
  const nFloats = count(matrices.map(([, rows, columns]) => isWhole(rows) ? rows : rows * columns));
  const nWhole = count(matrices.map(([, rows, columns]) => isWhole(rows) ? rows * columns : 0));
  if (bytes.length !== 4 * nFloats + nWhole) throw new Error(`${bytes.length} bytes of parameters`);
  const floats = new Float32Array(bytes.buffer, 0, nFloats);
  const whole = new Int8Array(bytes.buffer, 4 * nFloats);
  let float = 0, level = 0;
  return matrices.map(([name, nRows, nColumns]) => {
    const size = nRows * nColumns;
    if (!isWhole(nRows)) return [name, floats.slice(float, float += size)];
    const scales = floats.subarray(float, float += nRows);
    const weights = Float32Array.from(whole.subarray(level, level += size));
    for (let i = 0; i < size; i++) weights[i] *= scales[Math.floor(i / nColumns)];
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

onmessage = async ({ data: { number, question, about } }) => {
  try {
    postMessage({ number, answer: await QUESTIONS[question](about) });
  } catch (error) {
    postMessage({ number, fault: String(error) });
  }
};
