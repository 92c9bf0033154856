// BERT's forward pass: from the ids of tokens to a logit for each entry of the vocabulary.
//
//     ids -> token + position + segment embedding -> LayerNorm        [token, hidden]
//         -> 12 times: attention, add, LayerNorm; feed-forward, add, LayerNorm
//         -> masked-language head: a logit for each vocabulary entry  [vocabulary]
//
// Source: Devlin et al. 2019; SLP3 chapter 11. The functions have the names of
// mlm_core/encoder/bert.py and attention.py, and the parameters those of its modules, so both can
// be read side by side. A matrix [row, column] is one Float32Array, row after row. All texts are a
// batch of one. Left out: training, padding, segment B, the next-sentence head.
//
// Read next: worker.js, which loads the parameters and calls this.

// y = x W^T + b for each token.   x [token, in], weight [out, in] -> [token, out]
// Four tokens and two outputs at a time: each number that is read is used several times, which
// takes a third of the time. The last four may overlap the four before. A text of three tokens or
// fewer, as the one state of the head, goes the plain way below, which gives the same.
export function linear(x, nTokens, { weight, bias }) {
  const nOut = bias.length, nIn = weight.length / nOut;
  const y = new Float32Array(nTokens * nOut);
  const vector = (token) => x.subarray(token * nIn, (token + 1) * nIn);
  const inFours = nTokens >= 4 && nOut % 2 === 0;
  for (let next = 0; inFours && next < nTokens; next += 4) {
    const token = Math.min(next, nTokens - 4);
    const a = vector(token), b = vector(token + 1), c = vector(token + 2), d = vector(token + 3);
    for (let out = 0; out < nOut; out += 2) {
      let a0 = 0, a1 = 0, b0 = 0, b1 = 0, c0 = 0, c1 = 0, d0 = 0, d1 = 0;
      for (let i = 0, row = out * nIn; i < nIn; i++, row++) {
        const w0 = weight[row], w1 = weight[row + nIn];
        const ai = a[i], bi = b[i], ci = c[i], di = d[i];
        a0 += w0 * ai; a1 += w1 * ai;
        b0 += w0 * bi; b1 += w1 * bi;
        c0 += w0 * ci; c1 += w1 * ci;
        d0 += w0 * di; d1 += w1 * di;
      }
      for (let k = 0, at = token * nOut + out; k < 2; k++, at++) {
        y[at] = (k ? a1 : a0) + bias[out + k];
        y[at + nOut] = (k ? b1 : b0) + bias[out + k];
        y[at + 2 * nOut] = (k ? c1 : c0) + bias[out + k];
        y[at + 3 * nOut] = (k ? d1 : d0) + bias[out + k];
      }
    }
  }
  for (let token = inFours ? nTokens : 0; token < nTokens; token++) {
    const vectorOfToken = vector(token);
    for (let out = 0; out < nOut; out++) {
      let sum = 0;
      for (let i = 0, row = out * nIn; i < nIn; i++) sum += weight[row + i] * vectorOfToken[i];
      y[token * nOut + out] = sum + bias[out];
    }
  }
  return y;
}

// Each token's vector gets mean 0 and variance 1, then its own scale and shift.   [token, hidden]
export function layerNorm(x, { weight, bias }) {
  const size = weight.length, y = new Float32Array(x.length);
  for (let first = 0; first < x.length; first += size) {
    let mean = 0, variance = 0;
    for (let i = 0; i < size; i++) mean += x[first + i] / size;
    for (let i = 0; i < size; i++) variance += (x[first + i] - mean) ** 2 / size;
    const scale = 1 / Math.sqrt(variance + 1e-12);
    for (let i = 0; i < size; i++) y[first + i] = (x[first + i] - mean) * scale * weight[i] + bias[i];
  }
  return y;
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

export function softmax(scores) {
  let largest = -Infinity, sum = 0;
  for (const score of scores) if (score > largest) largest = score;
  const weights = Float32Array.from(scores, (score) => Math.exp(score - largest));
  for (const weight of weights) sum += weight;
  return weights.map((weight) => weight / sum);
}

// weights = softmax(query key^T / sqrt(head size)), output = weights value, for each head.
//     query, key, value [token, hidden]; a head's dimensions are next to each other
//     -> weights [head, query, key], output [token, hidden]
// With `causal` a query looks at itself and at what is before it; all other weights stay 0.
export function attend(query, key, value, nTokens, nHeads, causal) {
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

// The embeddings of token, position and segment A, added and normalized.   ids -> [token, hidden]
export function embed({ token, position, segment, norm }, ids) {
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
export function encoderBlock(block, states, nTokens, nHeads, causal) {
  const { attention } = block;
  const [query, key, value] = [attention.query, attention.key, attention.value]
    .map((projection) => linear(states, nTokens, projection));
  const { weights, output } = attend(query, key, value, nTokens, nHeads, causal);
  const attended = linear(output, nTokens, attention.output);
  const between = layerNorm(add(states, attended), block.attention_norm);
  const fedForward = linear(gelu(linear(between, nTokens, block.inner)), nTokens, block.outer);
  return { states: layerNorm(add(between, fedForward), block.feed_forward_norm), weights };
}

// All states and all attention weights of a text. states[0] is the embedding output, states[i] the
// output of layer i: 12 layers have 13 states. weights[i] are those of layer i + 1.
export function encode(bert, ids, { causal = false } = {}) {
  const encoding = { states: [embed(bert.embeddings, ids)], weights: [] };
  for (const block of bert.blocks) {
    const before = encoding.states.at(-1);
    const { states, weights } = encoderBlock(block, before, ids.length, bert.nHeads, causal);
    encoding.states.push(states);
    encoding.weights.push(weights);
  }
  return encoding;
}

// u = LayerNorm(GELU(h W + b)) E^T + b', where E is the token embedding itself.
//     state of one token [hidden] -> logits [vocabulary]
export function maskedLanguageLogits({ embeddings, masked_language_head: head }, state) {
  const transformed = layerNorm(gelu(linear(state, 1, head.transform)), head.norm);
  return linear(transformed, 1, { weight: embeddings.token.weight, bias: head.bias });
}

// One token's row of a matrix [token, hidden].
export function stateAt(states, nTokens, position) {
  const hidden = states.length / nTokens;
  return states.subarray(position * hidden, (position + 1) * hidden);
}
