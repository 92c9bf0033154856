// BERT's forward pass: from the ids of tokens to a logit for each entry of the vocabulary.
//
//     ids -> token + position + segment embedding -> LayerNorm        [token, hidden]
//         -> 12 times: attention, add, LayerNorm; feed-forward, add, LayerNorm
//         -> masked-language head: a logit for each vocabulary entry  [token, vocabulary]
//
// Source: Devlin et al. 2019; SLP3 chapter 11. The functions have the names of
// mlm_core/encoder/bert.py and attention.py, and the parameters those of its modules, so both can
// be read side by side. A matrix [row, column] is one Float32Array, row after row. A text is a
// batch of one. Left out: training, padding, segment B, the next-sentence head.
//
// Read from here to the end. Read next: worker.js, which loads the parameters and calls this.

// All states and all attention weights of a text. states[0] is the embedding output, states[i] the
// output of layer i: 12 layers have 13 states. weights[i] are those of layer i + 1.
//     ids [token] -> states [layer][token, hidden], weights [layer][head, query, key]
export function encode(bert, ids, { causal = false } = {}) {
  const states = [embed(bert.embeddings, ids)], weights = [];
  for (const block of bert.blocks) {
    const after = encoderBlock(block, states.at(-1), ids.length, bert.nHeads, causal);
    states.push(after.states);
    weights.push(after.weights);
  }
  return { states, weights };
}

// The embeddings of token, position and segment A, added and normalized.
//     ids [token] -> [token, hidden]
function embed({ token, position, segment, norm }, ids) {
  const hidden = norm.weight.length, total = new Float32Array(ids.length * hidden);
  ids.forEach((id, at) => {
    for (let i = 0; i < hidden; i++) {
      total[at * hidden + i] =
        token.weight[id * hidden + i] + position.weight[at * hidden + i] + segment.weight[i];
    }
  });
  return layerNorm(total, norm);
}

// One layer: attention, then a feed-forward net, each added and normalized.
//     states [token, hidden] -> states [token, hidden], weights [head, query, key]
function encoderBlock(block, states, nTokens, nHeads, causal) {
  const { attention } = block;
  const query = linear(states, nTokens, attention.query);
  const key = linear(states, nTokens, attention.key);
  const value = linear(states, nTokens, attention.value);
  const { weights, output } = attend(query, key, value, nTokens, nHeads, causal);
  const attended = linear(output, nTokens, attention.output);
  const between = layerNorm(add(states, attended), block.attention_norm);
  const inner = gelu(linear(between, nTokens, block.inner)); // [token, 4 * hidden]
  const outer = linear(inner, nTokens, block.outer);
  return { states: layerNorm(add(between, outer), block.feed_forward_norm), weights };
}

// For each head: weights = softmax(query key^T / sqrt(head size)), output = weights value.
//     query, key, value [token, hidden], in which a head's dimensions are next to each other
//     -> weights [head, query, key], output [token, hidden]
// With `causal` a query looks at itself and at what is before it; all other weights stay 0.
function attend(query, key, value, nTokens, nHeads, causal) {
  const hidden = query.length / nTokens, headSize = hidden / nHeads;
  const weights = new Float32Array(nHeads * nTokens * nTokens);
  const output = new Float32Array(nTokens * hidden);
  for (let head = 0; head < nHeads; head++) {
    for (let i = 0; i < nTokens; i++) {
      const nKeys = causal ? i + 1 : nTokens, ofQuery = i * hidden + head * headSize;
      const scores = new Float32Array(nKeys);
      for (let j = 0; j < nKeys; j++) {
        const ofKey = j * hidden + head * headSize;
        let score = 0;
        for (let d = 0; d < headSize; d++) score += query[ofQuery + d] * key[ofKey + d];
        scores[j] = score / Math.sqrt(headSize);
      }
      const row = softmax(scores);
      weights.set(row, (head * nTokens + i) * nTokens);
      for (let j = 0; j < nKeys; j++) {
        const ofValue = j * hidden + head * headSize;
        for (let d = 0; d < headSize; d++) output[ofQuery + d] += row[j] * value[ofValue + d];
      }
    }
  }
  return { weights, output };
}

// u = LayerNorm(GELU(h W + b)) E^T + b', where E is the token embedding itself.
//     states h [token, hidden] -> logits u [token, vocabulary]
export function maskedLanguageLogits(bert, states, nTokens) {
  const { transform, norm, bias } = bert.masked_language_head;
  const transformed = layerNorm(gelu(linear(states, nTokens, transform)), norm);
  return linear(transformed, nTokens, { weight: bert.embeddings.token.weight, bias });
}

// y = x W^T + b for each token.
//     x [token, in], weight [out, in], bias [out] -> [token, out]
// Four tokens and two outputs at a time: each number that is read is used several times, which
// takes 40 % of the time. Where fewer than four tokens are left, the last one is computed again.
function linear(x, nTokens, { weight, bias }) {
  const nOut = bias.length, nIn = weight.length / nOut;
  const y = new Float32Array(nTokens * nOut);
  for (let first = 0; first < nTokens; first += 4) {
    const tokens = [0, 1, 2, 3].map((k) => Math.min(first + k, nTokens - 1));
    const [a, b, c, d] = tokens.map((token) => x.subarray(token * nIn, (token + 1) * nIn));
    for (let out = 0; out < nOut; out += 2) {
      const row0 = weight.subarray(out * nIn, (out + 1) * nIn);
      const row1 = weight.subarray((out + 1) * nIn, (out + 2) * nIn);
      let a0 = 0, a1 = 0, b0 = 0, b1 = 0, c0 = 0, c1 = 0, d0 = 0, d1 = 0;
      for (let i = 0; i < nIn; i++) {
        const w0 = row0[i], w1 = row1[i], ai = a[i], bi = b[i], ci = c[i], di = d[i];
        a0 += w0 * ai; a1 += w1 * ai;
        b0 += w0 * bi; b1 += w1 * bi;
        c0 += w0 * ci; c1 += w1 * ci;
        d0 += w0 * di; d1 += w1 * di;
      }
      [[a0, a1], [b0, b1], [c0, c1], [d0, d1]].forEach(([y0, y1], k) => {
        y[tokens[k] * nOut + out] = y0 + bias[out];
        y[tokens[k] * nOut + out + 1] = y1 + bias[out + 1];
      });
    }
  }
  return y;
}

// Each token's vector gets mean 0 and variance 1, then its own scale and shift.
//     x [token, hidden] -> [token, hidden]
function layerNorm(x, { weight, bias }) {
  const size = weight.length, y = new Float32Array(x.length);
  for (let first = 0; first < x.length; first += size) {
    let mean = 0, variance = 0;
    for (let i = 0; i < size; i++) mean += x[first + i] / size;
    for (let i = 0; i < size; i++) variance += (x[first + i] - mean) ** 2 / size;
    const scale = 1 / Math.sqrt(variance + 1e-12);
    for (let i = 0; i < size; i++) {
      y[first + i] = (x[first + i] - mean) * scale * weight[i] + bias[i];
    }
  }
  return y;
}

// The probabilities of scores: all above 0, together 1.
export function softmax(scores) {
  const largest = scores.reduce((a, b) => Math.max(a, b));
  const weights = scores.map((score) => Math.exp(score - largest));
  const sum = weights.reduce((a, b) => a + b);
  return weights.map((weight) => weight / sum);
}

// x times the probability that a standard normal number is below x.
function gelu(x) {
  return x.map((value) => 0.5 * value * (1 + erf(value * Math.SQRT1_2)));
}

// The error function within 1.2e-7: Numerical Recipes, section 6.2, erfcc.
function erf(x) {
  const t = 1 / (1 + 0.5 * Math.abs(x));
  const rest = t * Math.exp(-x * x - 1.26551223 + t * (1.00002368 + t * (0.37409196 +
    t * (0.09678418 + t * (-0.18628806 + t * (0.27886807 + t * (-1.13520398 +
    t * (1.48851587 + t * (-0.82215223 + t * 0.17087277)))))))));
  return x < 0 ? rest - 1 : 1 - rest;
}

function add(x, y) {
  return x.map((value, i) => value + y[i]);
}
