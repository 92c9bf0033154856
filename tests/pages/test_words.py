"""The app's words: sections, labels, and a learner's text that stays plain text."""

import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.encoder.model_list import READERS
from mlm_core.figures.theme import printable
from mlm_core.text.tokens import tokenize
from pages.kit.part import Part, part
from pages.server.caches import cache
from pages.server.course.language import FIRST, examples_in, languages
from pages.server.course.lessons import SLUGS, TEACHING
from pages.server.course.words import (
    CUT,
    Words,
    as_text,
    file_of,
    names_of,
    read_words,
    sections_of,
)
from pages.server.frame.page_frame import Page

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
WORDS = Words(
    "trial",
    {
        "opening": "You typed {{text}}, {{n}} tokens. Again: {{text}}",
        "labels": "title: How: a colon\n  size :  {{n}} entries \nno label here\nempty:",
    },
)


def test_a_part_inside_of_another_finds_the_words_of_both():
    page, found = Page(lesson=TEACHING, words=WORDS, model_name=""), []

    @part(redraws_page=True, words=("look_it_up",))
    def inside(p: Part) -> None:
        found.extend(map(p.plain, ("question", "button_start", "title")))

    inside(Part(page, "plan").with_words("runs"))
    look, runs = read_words("look_it_up"), read_words("runs")
    both = [look.plain("question"), runs.plain("button_start"), look.plain("title")]
    assert found == both


def test_a_section_hides_no_label_of_its_name_and_a_label_no_section():
    page = Page(lesson=TEACHING, words=WORDS, model_name="")
    hiding = Words("hiding", {"size": "A section", "labels": "opening: a label"})
    p = Part(page, "plan")
    p._chain = [hiding, WORDS]
    assert p.label("size", n=3) == "3 entries" and p.plain("opening") == "a label"
    assert p.section("size") == "A section"
    assert p.section("opening", text="a", n=2).startswith("You typed a, 2 tokens")


@given(ANY_TEXT)
def test_no_mark_of_a_learners_text_can_open_markup_and_none_is_lost(text):
    safe = as_text(text).replace(CUT, "")
    # A reader of Markdown takes "\x" for x, whichever ASCII mark x is.
    parts = re.findall(r"\\.|[^\\]", safe)
    assert "".join(parts) == safe
    assert not any(len(part) == 1 and part in string.punctuation for part in parts)
    assert "".join(part[-1] for part in parts) == printable(text)
    assert "\n" not in safe


# What Streamlit's front end looks for in each piece of parsed text: GFM's addresses, emoji and
# icons, and arrows and dashes.
FOUND_LATER = re.compile(
    r"https?://|www(?=\.)|(?:^|\W|_)[-.\w+]+@[-\w]+(?:\.[-\w]+)+|:[+-]*\w[\w+-]*:"
    r"|(?:^|\s)(?:<->|->|<-|--|>=|<=|~=)(?:\s|$)",
    re.ASCII | re.IGNORECASE,
)


@given(st.text(st.sampled_from("::::/wW.@-+<>=~_ \nah1"), max_size=14) | ANY_TEXT)
def test_no_piece_of_a_learners_text_is_an_address_or_an_icon(text):
    pieces = [re.sub(r"\\(.)", r"\1", piece) for piece in as_text(text).split(CUT)]
    assert "".join(pieces) == printable(text)
    assert not any(map(FOUND_LATER.search, pieces))
    # Nor does it become one by a full stop or a colon of the sentence it stands in.
    for ours in (". So", ": so"):
        assert not FOUND_LATER.search(pieces[-1] + ours)


def test_texts_that_the_front_end_would_find_are_cut_by_hand():
    assert as_text("http://a") == rf"http\:{CUT}\/\/a"
    assert as_text("a@b.de :smile: 12") == rf"a\@{CUT}b\.de \:{CUT}smile\: 12"
    assert as_text("a -> b, x-y") == rf"a \-{CUT}\> b\, x\-y"


def test_every_ascii_mark_is_escaped_by_hand():
    assert as_text("*a* $x$ [l](u) <b> `c` #h :red[r]") == (
        r"\*a\* \$x\$ \[l\]\(u\) \<b\> \`c\` \#h \:red\[r\]"
    )
    assert as_text("\\") == "\\\\"
    assert as_text("a\n\n# b") == r"a␊␊\# b"


def test_values_are_filled_in_wherever_they_stand_and_texts_are_escaped():
    filled = WORDS.section("opening", text="*x*", n=3)
    assert filled == r"You typed \*x\*, 3 tokens. Again: \*x\*"


@pytest.mark.parametrize(
    ("spec", "written"),
    [
        ("", "1234.5678"),
        (":,.1f", "1,234.6"),
        (":%.0f", "123457"),
        (":~3", "1230"),
        (":+z.2f", "+1234.57"),
        (":$,.1f", "1{,}234.6"),
    ],
)
def test_a_number_is_written_as_the_text_says(spec: str, written: str):
    words = Words("trial", {"one": f"{{{{x{spec}}}}}"})
    assert words.section("one", x=1234.5678) == written


def test_what_is_no_number_is_not_written_as_one():
    words = Words("trial", {"one": "{{x:.2f}}", "two": "{{x}}"})
    for value in ("1.5", None):
        with pytest.raises(TypeError, match=r"a text has \{\{\w+:\.2f\}\}, but got"):
            words.section("one", x=value)
    assert words.section("two", x=["*a*"]) == r"\[\'\*a\*\'\]"


def test_a_learner_cannot_fill_in_a_value_of_ours():
    filled = WORDS.section("opening", text="{{n}}", n=3)
    assert filled == r"You typed \{\{n\}\}, 3 tokens. Again: \{\{n\}\}"
    assert WORDS.plain("size", n="{{n}}") == "{{n}} entries"


def test_labels_end_at_the_first_colon_and_lines_without_one_are_no_labels():
    assert WORDS.label("title") == "How: a colon"
    assert WORDS.label("size", n=7) == "7 entries"
    assert WORDS.label("empty") == ""
    with pytest.raises(KeyError):
        WORDS.label("no label here")


def test_plain_words_keep_a_learners_marks_for_whoever_draws_them():
    assert WORDS.plain("size", n="<b>") == "<b> entries"
    assert WORDS.label("size", n="<b>") == r"\<b\> entries"


def test_what_is_missing_is_named_with_its_file():
    with pytest.raises(KeyError, match=r"pages/text/en/trial\.md has no section 'closing'"):
        WORDS.section("closing")
    with pytest.raises(KeyError, match=r"pages/text/en/trial\.md has no label 'closing'"):
        WORDS.label("closing")
    with pytest.raises(KeyError, match=r"a text has \{\{text\}\}, but .* \['n'\] only"):
        WORDS.section("opening", n=3)


@pytest.mark.parametrize(
    ("n", "said"),
    [(1, "1 word is"), (0, "0 words are"), (2, "2 words are"), ("1", "1 word is")],
)
def test_what_goes_with_a_number_has_a_form_for_one(n: int | str, said: str):
    words = Words("trial", {"one": "{{n}} {{n|word is|words are}} left{{n|| out}}."})
    assert words.section("one", n=n) == said + (" left." if "1 " in said else " left out.")
    many = Words("trial", {"one": "{{n:,}} {{n|word|words}}"})
    assert many.section("one", n=1_001) == "1,001 words"


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "1 learner of this room"), ("de", "1 lernende Person dieses Raums")],
)
def test_one_learner_is_not_written_as_several(language: str, said: str):
    assert read_words("concept_test", language).label("gain_source_class", n=1).startswith(said)


def files() -> list[tuple[str, str, Path]]:
    """Return the name, language and file of all words."""
    named = [(name, language) for language in languages() for name in names_of(language)]
    return [(name, language, file_of(name, language)) for name, language in named]


def test_a_form_for_one_goes_with_a_number_that_its_text_shows():
    for _name, _language, file in files():
        for line in file.read_text(encoding="utf-8").splitlines():
            forms = set(re.findall(r"\{\{(\w+)\|", line))
            assert forms <= set(re.findall(r"\{\{(\w+)[:}]", line)), f"{file}: {line}"


def test_every_file_of_words_is_cut_into_sections_and_labels_that_stand_once():
    for name, language, file in files():
        text = file.read_text(encoding="utf-8")
        labels = re.split(r"^## +", text.partition("## labels")[2], flags=re.MULTILINE)[0]
        keys = [line.partition(":")[0].strip() for line in labels.splitlines() if ":" in line]
        assert len(set(keys)) == len(keys), file
        if file.name in ("messages.md", "terms.md"):
            continue
        names = re.findall(r"^## +(\S+) *$", text, flags=re.MULTILINE)
        assert names and len(set(names)) == len(names), file
        words = read_words(name, language)
        values = dict.fromkeys(re.findall(r"\{\{(\w+)[^{}]*\}\}", text), 0)
        for section in names:
            assert "{{" not in words.section(section, **values), f"{file}, {section}"


def test_a_title_of_a_column_is_said_once():
    of_lessons = [sections_of(slug, FIRST).get("columns", "").splitlines() for slug in SLUGS]
    names = [
        line.partition(":")[0] for line in sections_of("columns", FIRST)["labels"].splitlines()
    ]
    assert any(of_lessons) and len(names) == len(set(names))


# What a first view shows as a chip, a blank's word or a vector of one word; lesson 1 is about
# words that are split, and so is `pieces` in lesson 4.
EXAMPLES = {
    "home": "sentence",
    "attention_mask": "text first second",
    "masking": "text noise_text",
    "prediction_and_loss": "text cloze blanks first",
    "sentence_pairs": "opening_first opening_next opening_random",
    "word_senses": "own_word all_words",
    "isotropy": "first first_word second second_word formula formula_word",
}


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_words_of_the_first_examples_are_whole_in_the_vocabulary(language: str):
    readers = {
        slug: READERS[language if language in examples_in(slug) else FIRST] for slug in EXAMPLES
    }
    split = {
        (slug, name): tokens.texts
        for slug, names in EXAMPLES.items()
        for name in names.split()
        if (language, name) != ("de", "all_words")  # which is about English words
        for text in [read_words(slug, language).plain(f"default_{name}")]
        for tokens in [tokenize(cache.model_tokenizer(readers[slug]), text)]
        if any(text == "[UNK]" or text.startswith("##") for text in tokens.texts)
    }
    marked = re.findall(r"\[(.+?)\]", read_words("isotropy", language).section("pairs.sample"))
    tokenizer = cache.model_tokenizer(readers["isotropy"])
    split |= {word: () for word in marked if tokenizer.token_to_id(word) is None}
    assert len(marked) >= 4 and not split
