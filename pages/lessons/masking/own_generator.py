"""The learner's own masking generator: its output, pasted or as a file, and what is off in it."""

import json
from collections.abc import Callable, Hashable
from random import Random
from typing import Any

from mlm_core.figures.charts import counts_chart
from mlm_core.figures.masking.corruption import BRANCH_COLOURS
from mlm_core.masking.generator_check import BRANCHES, Report, check_generator
from mlm_core.masking.generator_output import FIELDS, read_output
from mlm_core.masking.random_words import RandomWords
from mlm_core.masking.rule import IGNORED_LABEL, CorruptionRule
from mlm_core.masking.steps import corrupt, roll
from mlm_core.text import corpora
from mlm_core.text.plain_text import read_text
from mlm_core.text.tokens import tokenize
from pages.kit.part import Part, part
from pages.lessons.masking import setting

LONGEST_PASTED = 400_000  # characters; as many as a tab may send (.streamlit/config.toml)
LARGEST_UPLOAD = 2  # MB; some 3,500 texts of twenty tokens, which are checked in a second
N_TEXTS = 250  # of our own generator
CHECKED = "generator_checked"  # state: what was checked last, and its report
MOST_NAMED = 5  # lines that can't be read; a file may have a million
ICONS = {"right": "check", "wrong": "close", "unsure": "help"}


@part(code=("masking.generator_check:check_generator",))
def show(p: Part) -> None:
    """Show what the checks say of our generator, of a wrong one, or of the learner's own."""
    p.say("lead")
    source, now = p.choice("generator_from"), setting.current(p)
    words = now.random_words()
    if source == "own":
        text, made = _ask_for_output(p, now, words), p.plain("generator_from_own")
        if not text.strip():
            p.note("nothing", icon="edit")
            return
        found = _checked(p, text, lambda: text)
    else:
        made = p.plain("ours_source", model=p.model_name, seed=now.seed)
        asked = (source, p.model_name, now.language, now.seed)
        found = _checked(p, asked, lambda: _output(now, words, is_faulty=source == "faulty"))
    _show(p, *found, made)


def _checked(
    p: Part, asked: Hashable, text_of: Callable[[], str]
) -> tuple[dict[str, Any], Report | None]:
    """Return how much can be read, and the report of it; both are kept for what is asked."""
    if p.state.get(CHECKED, (None,))[0] != hash(asked):
        examples, unreadable = read_output(text_of())
        lines = ", ".join(map(str, unreadable[:MOST_NAMED]))
        read = {"n": len(unreadable), "read": len(examples), "lines": lines}
        p.state[CHECKED] = hash(asked), read, check_generator(examples) if examples else None
    return p.state[CHECKED][1:]


def _output(now: setting.Setting, words: RandomWords, *, is_faulty: bool = False) -> str:
    """Return what our generator makes of our sentences; if faulty, with labels only at [MASK]."""
    rng = Random(now.seed)
    sentences = rng.sample(corpora.sentences(now.language), N_TEXTS)
    texts = [tokenize(words.tokenizer, sentence).tokens for sentence in sentences]
    rule, lines = CorruptionRule(selection="independent"), []  # as most learners write it
    for text in texts:
        made = corrupt(text, roll(len(text), rng), rule, words, now.mask)
        tokens = [token.text for token in text]
        labels = [
            token if new and (new.branch == "mask" or not is_faulty) else IGNORED_LABEL
            for token, new in zip(tokens, made.replacements, strict=True)
        ]
        entry = dict(zip(FIELDS, (tokens, made.texts, labels), strict=True))
        lines.append(json.dumps(entry, ensure_ascii=False))
    return "\n".join(lines)


def _ask_for_output(p: Part, now: setting.Setting, words: RandomWords) -> str:
    """Show the form of a line, the upload and the field; return the text of the one or other."""
    p.say("form")
    made, kind = (lambda: _output(now, words).encode()), "application/jsonl"
    p.download("generator_example", made, "masking-example.jsonl", kind, "example")
    types = ("jsonl", "json", "tsv", "txt")
    file = p.upload("own_file", types, "file", max_upload_size=LARGEST_UPLOAD)
    more: dict[str, Any] = {"disabled": file is not None, "help": p.label("text_help")}
    more |= {"longest": LONGEST_PASTED, "about": {"longest": LONGEST_PASTED}}
    pasted = p.pasted("own_text", "text", height=160, **more)
    if file is None:
        return pasted
    return p.decoded("own_file", read_text(file.getvalue(), LARGEST_UPLOAD * 1_000_000))


def _show(p: Part, read: dict[str, Any], report: Report | None, made: str) -> None:
    """Show what can't be read, the verdict, the counts by branch, and each finding."""
    if read["n"]:
        p.warn("left_out", icon="content_cut", **read)
    if report is None:
        return
    n_wrong = sum(one.outcome == "wrong" for one in report.findings)
    observed, n_chosen = [*report.observed.values()], sum(report.observed.values())
    about = {"n": report.n_texts, "ordinary": report.n_ordinary, "chosen": n_chosen}
    p.say("something_wrong" if n_wrong else "all_right", wrong=n_wrong, **about)
    if read["read"] > report.n_texts:
        p.say("static", n=read["read"] - report.n_texts)
    if n_chosen:
        names = [p.plain(f"branch_{branch}") for branch in report.observed]
        expected = [share * n_chosen for share in BRANCHES.values()]
        colours = [BRANCH_COLOURS[branch] for branch in report.observed]
        chart = counts_chart(names, observed, expected, colours=colours)
        table = {"branch": names, "observed": observed, "expected": expected}
        p.figure("generator", chart, table, chosen=n_chosen, made=made)
    said = []
    for name, outcome, values in report.findings:
        checked = f"{p.label(f'check_{name}')}: {p.label(f'outcome_{outcome}')}"
        text = p.section(f"{outcome}_{name}", **values)
        said.append(f"- :material/{ICONS[outcome]}: **{checked}.** {text}")
    p.write("\n".join(said))
    p.say("notice")
