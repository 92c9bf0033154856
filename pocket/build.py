"""Build the pocket edition: the course's first hour in one HTML file. `make pocket`.

    python -m pocket.build                             # dist/pocket.html, dist/pocket.de.html
    python -m pocket.build --app https://our.example   # with links to the lessons of that app

    model.safetensors -> each row of a matrix as whole numbers and a scale -> deflated -> base64
    pages/lessons/<slug>/<language>/words.md -> HTML, which words.js fills in
    *.js -> one script for the page and one for its worker, without their imports and exports

A page that is opened from a disk may load no second file, so all is in the one. Neither torch nor
a network is needed. dist/pocket/ has both files for a host, with links from one to the other.

Read next: encoder.js.
"""

import argparse
import base64
import hashlib
import html
import json
import os
import re
import zlib
from functools import cache
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from mlm_core.encoder.model_list import BUNDLED_FOLDERS, READERS
from mlm_core.encoder.parameter_names import our_name
from mlm_core.figures import chips, film
from mlm_core.figures.inside import attribution, lens
from mlm_core.figures.masking import corruption
from mlm_core.figures.prediction import unmasking
from mlm_core.masking.random_words import unigram_counts
from mlm_core.text import corpora
from mlm_core.text.tokens import entry_of, load_tokenizer, special_token_ids
from pages.server import VERSION
from pages.server.course.sections import labels_in, sections_in

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent
NAMES = {"en": ("pocket.html", "index.html"), "de": ("pocket.de.html", "de.html")}
EIGHT_BITS, FULL_BITS = 8, 32
VIEWS = ("guess", "mask", "masking", "loss", "layers", "words", "write")
ON_PAGE = ("tokens", "masking", "words", "page", *(f"views/{name}" for name in VIEWS))
ON_PAGE += ("../pages/server/figures/drawing_script", "start")
IN_WORKER = ("encoder", "worker")
SLUGS = ("attention_mask", "masking", "prediction_and_loss", "inside_a_prediction")
STYLES = [one.STYLE for one in (chips, film, lens, attribution, corruption, unmasking)]
LOGO = ROOT / "pages/server/frame/logo.svg"
LEFT_OUT = ("bert.pooler.", "cls.seq_relationship.")


def build(
    to: Path, *, language: str, app: str = "", bits: int = EIGHT_BITS, other: str = ""
) -> None:
    """Write the file of a language, with links to the course and to the file of the other one."""
    folder, words = BUNDLED_FOLDERS[READERS[language]], words_of(language)
    labels, (matrices, packed) = words["labels"], packed_parameters(folder, bits)
    brand = f'<svg role="img" aria-label="{labels["pocket/brand"]}" '
    names = {one: labels[f"frame/film_{one}"] for one in film.FilmNames.__annotations__}
    about = about_model(folder, language) | {
        "language": language,
        "app": app.rstrip("/"),
        "other": other,
        "bits": bits,
        "matrices": matrices,
        "words": words,
        "player": film.player(film.FilmNames(**names), "{{said}}"),  # page.js fills it in
    }
    parts = {key: html.escape(label) for key, label in labels.items()} | {
        "language": language,
        "logo": LOGO.read_text("utf-8").replace("<svg ", brand),
        "style": "\n".join((*STYLES, (FOLDER / "style.css").read_text("utf-8"))),
        "about": _inside_script(json.dumps(about, ensure_ascii=False, separators=(",", ":"))),
        "script": script_of(ON_PAGE),
        "worker": script_of(IN_WORKER),
        "weights": packed,
    }
    page = (FOLDER / "page.html").read_text("utf-8")
    text = re.sub(r"<!-- ([\w/]+) -->", lambda match: parts[match[1]], page)
    to.parent.mkdir(parents=True, exist_ok=True)
    unfinished = to.with_suffix(f".{os.getpid()}")  # nobody is served half a file
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(to)


@cache
def about_model(folder: Path, language: str) -> dict[str, object]:
    """Return what the page needs to know of a model and its words, and which ones these are."""
    tokenizer = load_tokenizer(folder)
    special, entries = special_token_ids(tokenizer), range(tokenizer.get_vocab_size())
    counts = unigram_counts(tokenizer, corpora.sentences(language))
    return {
        "version": VERSION,
        "model": folder.name,
        "hash": hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()[:12],
        "nHeads": json.loads((folder / "config.json").read_text("utf-8"))["num_attention_heads"],
        "measured": json.loads((FOLDER / "measured.json").read_text("utf-8")).get(folder.name, {}),
        "vocabulary": [entry_of(tokenizer, i) for i in entries],
        "counts": [0 if i in special else counts[i] for i in entries],
    }


@cache
def packed_parameters(folder: Path, bits: int) -> tuple[list[list], str]:
    """Return the list of [name, rows, columns], and the parameters as base64 of deflated bytes.

    One after the other: vectors in float32; of a matrix in 8 bits the rows' scales, then the rows.
    """
    matrices, numbers = [], []
    for name, values in load_file(folder / "model.safetensors").items():
        if name.startswith(LEFT_OUT):
            continue
        values = np.atleast_2d(values.astype(np.float32))
        matrices.append([our_name(name), *values.shape])
        numbers += quantized(values) if bits == EIGHT_BITS and len(values) > 1 else [values]
    joined = b"".join(each.tobytes() for each in numbers)
    deflated = zlib.compress(joined, 9 if bits == EIGHT_BITS else 1)
    return matrices, base64.b64encode(deflated).decode()


def quantized(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the scales of rows, and the rows as whole numbers: mlm_core/inside/quantized.py."""
    scales = np.abs(values).max(axis=1) / np.float32(127)
    levels = np.rint(values / np.where(scales > 0, scales, 1)[:, None])
    return scales, levels.astype(np.int8)


def words_of(language: str) -> dict[str, dict[str, str]]:
    """Return labels as they are, and sections as HTML, by "file/name"."""
    labels, sections = {}, {}
    files = {slug: f"pages/lessons/{slug}/{language}/words.md" for slug in SLUGS}
    files |= {name: f"pages/text/{language}/{name}.md" for name in ("frame", "pocket")}
    for name, file in files.items():
        found = sections_in(ROOT / file)
        labels |= {f"{name}/{key}": text for key, text in labels_in(found.pop("labels")).items()}
        sections |= {f"{name}/{key}": as_html(text) for key, text in found.items()}
    return {"labels": labels, "sections": sections}


def as_html(markdown: str) -> str:
    """Return the HTML of a section: bold, code, and terms, which nothing explains here.

    >>> as_html("**Which** [[tokens|Token]] < `[MASK]`?")
    '<b>Which</b> tokens &lt; <code>[MASK]</code>?'
    """
    text = html.escape(markdown, quote=False)
    text = re.sub(r"\[\[([^\[\]|]+)(?:\|[^\[\]|]+)?\]\]", r"\1", text)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text).replace("\n\n", "<br><br>")


def script_of(names: tuple[str, ...]) -> str:
    """Return modules as one script, in this order; each keeps what it doesn't export to itself."""
    blocks = (as_block((FOLDER / f"{name}.js").read_text("utf-8")) for name in names)
    return _inside_script("\n".join(blocks))


def as_block(module: str) -> str:
    r"""Return a module as a function that is called at once and gives what it exports.

    >>> print(as_block('import { a } from "./a.js";\nexport const b = a;'))
    const { b } = (() => {
    const b = a;
    return { b };
    })();
    """
    module = module.replace("export default function", "export function drawingScript")
    exported = ", ".join(re.findall(r"^export (?:async )?\w+\*? (\w+)", module, flags=re.M))
    code = re.sub(r"^import .*?;\n|^export (?=\w)", "", module, flags=re.M | re.S)
    return f"const {{ {exported} }} = (() => {{\n{code}\nreturn {{ {exported} }};\n}})();"


def _inside_script(text: str) -> str:
    """Return JSON or JavaScript that can't end the script element that it is in."""
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")


def main() -> None:
    """Build the files of both languages, and the folder for a host of static files."""
    parser = argparse.ArgumentParser(prog="python -m pocket.build")
    parser.add_argument("--app", default=os.environ.get("MLM_APP", ""), help="the course's address")
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="folder (dist)")
    options = parser.parse_args()
    for language, (name, hosted) in NAMES.items():
        build(options.to / name, language=language, app=options.app)
        (other,) = (names[1] for key, names in NAMES.items() if key != language)
        build(options.to / "pocket" / hosted, language=language, app=options.app, other=other)
        print(f"{options.to / name}: {(options.to / name).stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
