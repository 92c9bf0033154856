// The 80/10/10 corruption of a text, with every random number recorded; draws as in Python.
//
//     roll     four numbers from 0 to 1 for each token; nothing else is random
//     choose   the tokens with the smallest first numbers, 15 % of all
//     replace  by [MASK] (80 %), a random word (10 %) or itself (10 %), as the second number says
//
// Source: Devlin et al. 2019, section 3.1. Names and numbers are those of mlm_core/masking/rule.py,
// steps.py and random_words.py: equal seeds give equal draws (tested).
//
// Read before this: tokens.js. Read next: views/masking.js.

export const RULE = { chosen: 0.15, mask: 0.8, random: 0.1 };

// Python's random.Random(seed).random(): the Mersenne Twister MT19937 and its seeding by a list.
// Source: Matsumoto & Nishimura 1998, mt19937ar.c.
export class Random {
  constructor(seed) {
    const state = this.state = new Uint32Array(624);
    const mixed = (i, factor) => Math.imul(state[i] ^ (state[i] >>> 30), factor);
    state[0] = 19650218;
    for (let i = 1; i < 624; i++) state[i] = mixed(i - 1, 1812433253) + i;
    let i = 1;
    const mix = (factor, plus) => {
      state[i] = (state[i] ^ mixed(i - 1, factor)) + plus;
      if (++i === 624) [state[0], i] = [state[623], 1];
    };
    for (let k = 0; k < 624; k++) mix(1664525, seed);
    for (let k = 0; k < 623; k++) mix(1566083941, -i);
    state[0] = 0x80000000;
    this.next = 624;
  }

  random() { // 53 bits, from 0 to 1, 1 excluded
    return ((this.bits() >>> 5) * 67108864 + (this.bits() >>> 6)) / 9007199254740992;
  }

  bits() { // the next 32
    if (this.next === 624) this.twist();
    let y = this.state[this.next++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  twist() {
    const { state } = this;
    for (let i = 0; i < 624; i++) {
      const y = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7fffffff);
      state[i] = state[(i + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.next = 0;
  }
}

export function roll(nTokens, rng) {
  const draw = () => rng.random();
  return Array.from({ length: nTokens }, () =>
    ({ selection: draw(), die: draw(), word: draw(), length: draw() })); // the last is for spans
}

// The rate times the text's tokens, rounded (an exact half to the even number), and at least 1.
export function countToChoose(nTokens, rate = RULE.chosen) {
  const product = nTokens * rate, below = Math.floor(product);
  const isHalf = product - below === 0.5;
  return Math.max(1, isHalf ? below + (below % 2) : Math.round(product));
}

// The positions that the model must predict: a fixed count, special tokens never.
export function choose(tokens, rolls) {
  const free = [...tokens.keys()].filter((i) => !tokens[i].isSpecial);
  free.sort((a, b) => rolls[a].selection - rolls[b].selection);
  return free.slice(0, countToChoose(tokens.length)).sort((a, b) => a - b);
}

// What the encoder sees for a chosen token. `counts` are those of each entry in our sentences.
export function replace(token, { die, word }, tokenizer, counts) {
  const branch = die < RULE.mask ? "mask" : die < RULE.mask + RULE.random ? "random" : "keep";
  const id = { mask: tokenizer.maskId, keep: token.id, random: randomWord(word, counts) }[branch];
  return { branch, die, id, text: tokenizer.vocabulary[id] };
}

// The word of a number from 0 to 1, by its frequency: the same number, the same word.
export function randomWord(number, counts) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let cumulated = 0;
  return counts.findIndex((count) => (cumulated += count) > number * total);
}
