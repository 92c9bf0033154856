"""CoNLL columns: real files in all their variants, and what is wrong told with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.labelled.conll import LONGEST_SENTENCE, own_entities, read_conll, stored_entities
from mlm_core.labelled.examples import TaggedSentence
from mlm_core.tagging.bio_tags import Span, encode

# As CoNLL-2003 has it: four columns, IOB1 in the original files.
COLUMNS = """-DOCSTART- -X- O O

EU NNP I-NP I-ORG
rejects VBZ I-VP O
German JJ I-NP I-MISC
call NN I-NP O

Peter NNP I-NP I-PER
Blackburn NNP I-NP I-PER
"""
EXPECTED = (
    TaggedSentence(
        words=("EU", "rejects", "German", "call"),
        spans=(Span(start=0, end=1, type="ORG"), Span(start=2, end=3, type="MISC")),
    ),
    TaggedSentence(words=("Peter", "Blackburn"), spans=(Span(start=0, end=2, type="PER"),)),
)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        lambda text: text.replace("\n\n", "\n \t\n\n\n"),
        lambda text: text.removesuffix("\n"),
        lambda text: text.replace(" ", "   "),
        lambda text: "# a remark of the editor\n" + text,
        lambda text: text.replace("-DOCSTART- -X- O O", "-DOCSTART-\tO"),
        lambda text: text.replace("\n\nPeter", "\n-DOCSTART- -X- O O\nPeter"),
    ],
)
def test_the_same_sentences_in_many_dresses(change):
    file = read_conll(change(COLUMNS))
    assert file.sentences == EXPECTED
    assert file.types == ("MISC", "ORG", "PER")


TOUCHING = (Span(start=0, end=2, type="PER"), Span(start=2, end=3, type="PER"))


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        ("I-PER I-PER B-PER O", "IOB1"),
        ("B-PER I-PER B-PER O", "IOB2"),
        ("B-PER E-PER S-PER O", "BIOES"),
        ("B-PER L-PER U-PER O", "BIOES"),
    ],
)
def test_every_scheme_with_borders_gives_the_same_spans(tags, scheme):
    file = read_conll("\n".join(f"word {tag}" for tag in tags.split()))
    assert (file.scheme, file.sentences[0].spans) == (scheme, TOUCHING)


def test_io_has_no_borders():
    file = read_conll("a I-PER\nb I-PER\nc O\nd I-LOC")
    assert file.scheme == "IO"
    assert file.sentences[0].spans == (
        Span(start=0, end=2, type="PER"),
        Span(start=3, end=4, type="LOC"),
    )


spans_of_five_words = st.lists(
    st.tuples(st.integers(0, 4), st.integers(1, 3), st.sampled_from(["PER", "LOC"])), max_size=3
).map(
    lambda drawn: tuple(
        Span(start=start, end=min(5, start + n), type=kind)
        for i, (start, n, kind) in enumerate(sorted(drawn))
        if all(start >= min(5, other + m) for other, m, _ in sorted(drawn)[:i])
    )
)


@given(st.lists(spans_of_five_words, min_size=1, max_size=4), st.sampled_from(["BIO", "BIOES"]))
def test_spans_written_to_columns_come_back(sentences, scheme):
    text = "\n\n".join(
        "\n".join(f"w{i} x {tag}" for i, tag in enumerate(encode(spans, 5, scheme)))
        for spans in sentences
    )
    assert [one.spans for one in read_conll(text).sentences] == list(sentences)


def test_a_tag_that_continues_nothing_starts_an_entity_also_across_a_sentences_end():
    file = read_conll("a O\nb B-PER\n\nc I-PER\nd O\n\ne B-LOC")
    assert [one.spans for one in file.sentences] == [
        (Span(start=1, end=2, type="PER"),),
        (Span(start=0, end=1, type="PER"),),
        (Span(start=0, end=1, type="LOC"),),
    ]


def test_types_of_any_name_are_taken():
    file = read_conll("a B-creative-work\nb I-creative-work\nc B-人物\nd O")
    assert file.types == ("creative-work", "人物")


def test_a_hash_may_be_a_word_and_emoji_and_no_break_spaces_stay_in_theirs():
    file = read_conll("#\tO\n😀\tB-PER\n10\u00a0000\tO\n# a remark\n👩‍👧\tO\n\u200b\tO")
    assert file.sentences[0].words == ("#", "😀", "10\u00a0000", "👩‍👧", "\u200b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no tagged word: give one word a line"),
        ("\n\n-DOCSTART- O\n", "no tagged word"),
        ("word", "line 1: read 1 column, 'word': expected 2, with a space or tab"),
        ("a x O\nb x O\nc O", "line 3: read 2 columns, 'c O': expected 3"),
        (
            "-DOCSTART- O\n\na O\n\nb B-PER extra",
            "line 5: read 3 columns, 'b B",
        ),
        (
            "a O\nb PER",
            "line 2: read 'PER' as the tag of 'b': expected O, or B-",
        ),
        ("a O\r\n\r\nb B-", "line 3: read 'B-' as the tag of 'b'"),
        ("a o", "line 1: read 'o' as the tag"),
        ("a b-PER", "line 1: read 'b-PER' as the tag"),
        ("a X-PER", "line 1: read 'X-PER' as the tag"),
        ("a B-" + "X" * 31, "line 1: .* a type of at most 30 characters"),
        ("a" * 201 + " O", "line 1: a word of 201 characters, and 200 are allowed"),
        ("a O\n" * (LONGEST_SENTENCE + 1), "line 6001: a sentence of more than 6,000 words: put"),
        ("\n\n".join(f"a B-T{i}" for i in range(21)), "21 entity types, and 20 are allowed"),
    ],
)
def test_what_is_no_such_file_is_told_with_its_line(text, message):
    with pytest.raises(ValueError, match=message):
        read_conll(text)


def columns(*n_words: int, tag: str = "B-PER") -> str:
    return "\n\n".join(
        "\n".join(f"w{n}.{i} {tag if i == 0 else 'O'}" for i in range(n)) for n in n_words
    )


def test_own_sentences_are_divided_and_doubles_dropped():
    data = own_entities(columns(*range(1, 9)) + "\n\n" + columns(3))
    assert (len(data.train), len(data.dev), len(data.test)) == (5, 1, 2)
    assert not set(data.train) & set(data.test)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (columns(1, 2, 3), "3 different sentences: give 4 to 2,000, with an empty line behind"),
        (columns(*[3] * 9), "1 different sentences"),
        (columns(*range(1, 9), tag="O"), "no entity in any sentence: mark at least one"),
    ],
)
def test_own_sentences_from_which_nothing_can_be_learnt_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        own_entities(text)


@pytest.mark.parametrize(("language", "fewest"), [("en", 1_200), ("de", 700)])
def test_the_stored_sentences_share_none_and_have_the_four_types_in_every_part(language, fewest):
    data = stored_entities(language)
    parts = (data.train, data.dev, data.test)
    assert data.classes == ("GPE", "LOC", "ORG", "PER")
    words = [one.words for part in parts for one in part]
    assert len(set(words)) == len(words) >= fewest
    for part in parts:
        assert {span.type for one in part for span in one.spans} == set(data.classes)
