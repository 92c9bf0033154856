// The words of the page, filled with values, and the markup that they are put into.
//
// Labels are plain text, sections are HTML of ours (build.py). A value is written as the text says,
// as in pages/server/course/words.py: {{x:.2f}}, {{x:,}}, {{x:%.1f}}, {{n|one|many}}. What a
// learner typed only gets into the page as text, never as HTML.

export const about = JSON.parse(document.getElementById("about").textContent);

const VALUE = /\{\{(\w+)(?:\|([^{}|]*)\|([^{}|]*)|:([^{}]+))?\}\}/g;
const [, THOUSANDS, DECIMAL] = about.words.labels["frame/a_number"].match(/^1(\D)234(\D)5$/);

export class Markup {
  constructor(text) {
    this.text = text;
  }
}

// Markup with values in it: text is escaped, markup goes in as it is, alone or in a list, and
// undefined, null and false are left out.
export function html(strings, ...values) {
  return new Markup(String.raw({ raw: strings }, ...values.map(written)));
}

function written(value) {
  if (Array.isArray(value)) return value.map(written).join("");
  if (value instanceof Markup) return value.text;
  return value === false ? "" : escaped(String(value ?? ""));
}

function escaped(text) {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

export function label(key, values = {}) {
  return filled(about.words.labels[key] ?? missing(key), values, (text) => text);
}

// A paragraph with a section.
export function say(key, values = {}) {
  const section = filled(about.words.sections[key] ?? missing(key), values, escaped);
  return new Markup(`<p>${section}</p>`);
}

function filled(text, values, write) {
  return text.replace(VALUE, (_, name, one, many, spec) => {
    const value = values[name] ?? missing(name);
    if (one !== undefined) return value === 1 ? one : many;
    return spec ? number(value, spec) : write(String(value));
  });
}

function missing(key) {
  throw new Error(`no words for ${key}`);
}

// A number by a format of Python: ".2f", ",", "+.2f", ".0%"; "%.1f" in per cent without the sign.
export function number(value, spec) {
  if (spec.startsWith("%")) return number(100 * value, spec.slice(1));
  const [, plus, comma, digits, kind] = spec.match(/^(\+?)(,?)(?:\.(\d+))?([f%]?)$/);
  const size = Math.abs(value) * (kind === "%" ? 100 : 1);
  const [whole, rest] = size.toFixed(digits ?? (kind ? 6 : 0)).split(".");
  const grouped = comma ? whole.replace(/\B(?=(\d{3})+$)/g, THOUSANDS) : whole;
  const sign = value < 0 ? "−" : plus;
  return sign + grouped + (rest ? DECIMAL + rest : "") + (kind === "%" ? "%" : "");
}

// A probability or a weight with two decimals.
export function weight(value) {
  return value > 0 && value < 0.005 ? `<${number(0.01, ".2f")}` : number(value, ".2f");
}
