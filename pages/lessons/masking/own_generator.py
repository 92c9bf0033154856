"""The learner's own masking generator: its output, pasted or as a file, and what is off in it."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from random import Random

from mlm_core.figures.charts import counts_chart
from mlm_core.figures.masking.corruption import BRANCH_COLOURS
from mlm_core.masking.generator_draws import check_generator, drawn
from mlm_core.masking.generator_labels import Finding, count
from mlm_core.masking.generator_output import LeftOut, read_output, write_output
from mlm_core.masking.goodness_of_fit import interval_of_proportion
from mlm_core.masking.random_words import RandomWords
from mlm_core.masking.rule import Branch, CorruptionRule
from mlm_core.masking.steps import corrupt, roll
from mlm_core.text import corpora
from mlm_core.text.plain_text import read_text
from mlm_core.text.tokens import tokenize
from pages.kit.part import Part, part
from pages.lessons.masking import setting

LONGEST_PASTED = 400_000  # characters; as many as a tab may send (.streamlit/config.toml)
LARGEST_UPLOAD = 2  # MB; some 3,500 texts of twenty tokens, which are checked in a second
N_TEXTS, N_PASSES = 250, 2  # of our own generator; each text twice, to see that masks differ
CHECKED = "generator_checked"  # state: what was checked last, and its report
ICONS = {"right": "check", "wrong": "close", "different": "info", "unsure": "help"}


@dataclass(frozen=True, kw_only=True)
class Ours:
    """Our own generator, with what it draws from."""

    language: str
    words: RandomWords
    mask: tuple[int, str]
    seed: int

    def output(self, is_faulty: bool = False) -> str:
        """Return what it makes of our sentences, each in two passes; or with a mistake."""
        rng = Random(self.seed)
        sentences = rng.sample(corpora.sentences(self.language), N_TEXTS)
        texts = [tokenize(self.words.tokenizer, sentence) for sentence in sentences]
        # Independent draws, as most learners write them.
        rule = CorruptionRule(selection="independent")
        corruptions = [
            corrupt(text.tokens, roll(len(text.tokens), rng), rule, self.words, self.mask)
            for _ in range(N_PASSES)
            for text in texts
        ]
        return write_output(corruptions, only_at_mask=is_faulty)


@dataclass(frozen=True, kw_only=True)
class Report:
    """What is shown of a file; its texts are not kept."""

    n_read: int  # lines
    n_texts: int  # of which each static mask is one
    left_out: tuple[LeftOut, ...]  # the first of them
    n_left_out: int
    n_ordinary: int = 0
    observed: Mapping[Branch, int]
    expected: Mapping[Branch, float]
    findings: tuple[Finding, ...] = ()


@part(
    code=(
        "masking.generator_labels:check_labels",
        "masking.generator_rates:check_branches",
        "masking.goodness_of_fit:interval_of_proportion",
    )
)
def show(p: Part) -> None:
    """Show what the checks say of our generator, of a wrong one, or of the learner's own."""
    p.say("lead")
    source, now = p.choice("generator_from"), setting.current(p)
    words = now.random_words()
    ours = Ours(language=now.language, words=words, mask=now.mask, seed=now.seed)
    if source == "own":
        text = _ask_for_output(p, ours)
        if not text.strip():
            p.note("nothing", icon="edit")
            return
        report = _checked(p, text, lambda: text)
        made = p.plain("generator_from_own")
    else:
        asked = (source, p.model_name, now.language, now.seed)
        report = _checked(p, asked, lambda: ours.output(source == "faulty"))
        made = p.plain("ours_source", model=p.model_name, seed=now.seed)
    _say_left_out(p, report)
    if report.findings:
        _show(p, report, made)


def _ask_for_output(p: Part, ours: Ours) -> str:
    """Show the form of a line, the upload and the field; return the text of the one or other."""
    p.say("form")
    p.download(
        "generator_example",
        lambda: ours.output().encode(),
        "masking-example.jsonl",
        "application/jsonl",
        "example",
    )
    types = ("jsonl", "json", "tsv", "txt")
    file = p.upload("own_file", types, "file", max_upload_size=LARGEST_UPLOAD)
    pasted = p.pasted(
        "own_text",
        "text",
        longest=LONGEST_PASTED,
        height=160,
        about={"longest": LONGEST_PASTED},
        disabled=file is not None,
        help=p.label("text_help"),
    )
    if file is None:
        return pasted
    decoded = read_text(file.getvalue(), LARGEST_UPLOAD * 1_000_000)
    return p.decoded("own_file", decoded)


def _checked(p: Part, asked: Hashable, text_of: Callable[[], str]) -> Report:
    """Return the report of a text, kept until another one is asked for."""
    key = hash(asked)
    kept = p.state.get(CHECKED)
    if kept is None or kept[0] != key:
        kept = p.state[CHECKED] = (key, _report_of(text_of()))
    return kept[1]


def _report_of(text: str) -> Report:
    examples, left_out, n_left_out = read_output(text)
    counted = count(examples)
    shown = drawn(counted)
    return Report(
        n_read=len(examples),
        n_texts=len(shown.examples),
        left_out=left_out,
        n_left_out=n_left_out,
        n_ordinary=len(shown.ordinary),
        observed=shown.branches,
        expected=shown.expected_branches,
        findings=check_generator(counted) if examples else (),
    )


def _say_left_out(p: Part, report: Report) -> None:
    """Say which lines can't be read, and why; they stay in the field."""
    if not report.left_out:
        return
    lines = [
        "- " + p.section(f"left_{one.reason}", line=one.line, **one.values)
        for one in report.left_out
    ]
    said = p.section("left_out", n=report.n_left_out, read=report.n_read)
    p.write_warning("\n".join([said, "", *lines]), icon="content_cut")


def _show(p: Part, report: Report, made: str) -> None:
    """Show the verdict, the counts by branch, and each finding."""
    n_wrong = sum(one.outcome == "wrong" for one in report.findings)
    observed = list(report.observed.values())
    n_chosen = sum(observed)
    about = {"n": report.n_texts, "ordinary": report.n_ordinary, "chosen": n_chosen}
    p.say("all_right" if not n_wrong else "something_wrong", wrong=n_wrong, **about)
    if n_chosen:
        names = [p.plain(f"branch_{branch}") for branch in report.observed]
        ends = [interval_of_proportion(number, n_chosen) for number in observed]
        expected = list(report.expected.values())
        colours = [BRANCH_COLOURS[branch] for branch in report.observed]
        p.figure(
            "generator",
            counts_chart(names, observed, expected, colours=colours),
            {
                "branch": names,
                "observed": observed,
                "expected": expected,
                "lowest_share": [low for low, _ in ends],
                "highest_share": [high for _, high in ends],
            },
            chosen=n_chosen,
            made=made,
        )
    p.write("\n".join(_in_words(p, finding) for finding in report.findings))
    p.say("notice")


def _in_words(p: Part, finding: Finding) -> str:
    """Return a finding as an entry of a list: what was expected, what came, the likeliest cause."""
    said = finding.said if finding.said != "right" else f"right_{finding.name}"
    text = p.section(said, **finding.values)
    if finding.line is not None:
        text += " " + p.label("first_line", line=finding.line)
    outcome = p.label(f"outcome_{finding.outcome}")
    return (
        f"- :material/{ICONS[finding.outcome]}: **{p.label(f'check_{finding.name}')}: {outcome}.**"
        f" {text}"
    )
