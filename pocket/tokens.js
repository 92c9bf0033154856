// WordPiece: a text to subword tokens, as the model's tokenizer cuts it.
//
//     clean      control characters go, each kind of space is a space
//     words      spaces and punctuation part words; each ideograph is a word
//     subwords   from the left, the longest entry of the vocabulary each time
//
// Source: google-research/bert, tokenization.py; Schuster & Nakajima 2012. The same ids as the
// tokenizers library gives (tested), which mlm_core/text/tokens.py calls.
// Departs: it is cased and keeps accents, as the bundled models do.

const SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
const LONGEST_WORD = 100; // characters; a longer word is [UNK]
const SPECIAL = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/;
const IDEOGRAPH = new RegExp("[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff" +
  "\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]", "gu");
const HALF = /\p{Cs}/gu; // half a surrogate pair is no character
const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\ufffd]/gu;
// ASCII's marks such as $ and + are punctuation to BERT, not to Unicode.
const WORD = /[\p{P}$+<=>^`|~]|[^\p{P}$+<=>^`|~\p{White_Space}]+/gu;

export class Tokenizer {
  constructor(vocabulary) {
    this.vocabulary = vocabulary; // entries by id
    this.ids = new Map(vocabulary.map((entry, id) => [entry, id]));
    this.maskId = this.ids.get("[MASK]");
  }

  // [{ text, id, word, isSpecial }], [CLS] first and [SEP] last; `word` counts from 0, and is null
  // where a special token is written.
  tokenize(text) {
    const parts = text.replace(HALF, "?").split(SPECIAL);
    const words = parts.flatMap((part) => SPECIALS.includes(part) ? part : wordsOf(part));
    const tokens = words.flatMap((one, word) => SPECIALS.includes(one) ? this.special(one)
      : this.subwords(one).map((text) =>
        ({ text, id: this.ids.get(text), word, isSpecial: text === "[UNK]" })));
    return [this.special("[CLS]"), ...tokens, this.special("[SEP]")];
  }

  special(name) {
    return { text: name, id: this.ids.get(name), word: null, isSpecial: true };
  }

  subwords(word) {
    const letters = [...word], found = []; // characters, of which some are two units of a string
    if (letters.length > LONGEST_WORD) return ["[UNK]"];
    while (letters.length) {
      const entry = (n) => (found.length ? "##" : "") + letters.slice(0, n).join("");
      let n = letters.length;
      while (n && !this.ids.has(entry(n))) n--;
      if (!n) return ["[UNK]"];
      found.push(entry(n));
      letters.splice(0, n);
    }
    return found;
  }
}

function wordsOf(text) {
  return text.replace(CONTROL, "").replace(IDEOGRAPH, " $& ").match(WORD) ?? [];
}
