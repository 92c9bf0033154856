"""A learner's own files, in the formats that people have them in."""

import json
import re

import pytest

from mlm_core.labelled.conll import read_conll, read_own_entities
from mlm_core.labelled.examples import TaggedSentence
from mlm_core.labelled.json_records import one_a_line
from mlm_core.labelled.own_parts import join_files, thin_text, with_roles
from mlm_core.labelled.tables import own_classes, read_own_classes
from mlm_core.tagging.bio_tags import Span

GOOD = ["It was fine, really.", "I liked it; a lot.", 'She said "great" twice.', "Warm, kind"]
BAD = ["It was cold.", "Dull, dull", "No; never again.", "A bore"]
EXAMPLES = [(text, "1") for text in GOOD] + [(text, "0") for text in BAD]
PAIRS = [(f"A man sleeps {n}.", f"He is awake {n}.", "yes" if n % 2 else "no") for n in range(8)]


def quoted(field: str) -> str:
    return '"' + field.replace('"', '""') + '"'


def table(rows, mark="\t", names=None, quote=str) -> str:
    """Return rows as a table."""
    lines = [mark.join(map(quote, row)) for row in rows]
    return "\n".join([mark.join(names), *lines] if names else lines) + "\n"


FILES = {
    "GLUE's SST-2": table(EXAMPLES, names=("sentence", "label")),
    "the class first": table([(label, text) for text, label in EXAMPLES]),
    "an index before it": table(
        [(str(i), text, label) for i, (text, label) in enumerate(EXAMPLES)],
        names=("index", "sentence", "label"),
    ),
    "an index without a name": table(
        [(str(i), text, label) for i, (text, label) in enumerate(EXAMPLES)]
    ),
    "commas": table(EXAMPLES, ",", ("Text", "Class"), quoted),
    "semicolons": table(EXAMPLES, ";", ("Label", "Satz")[::-1], quoted),
    "quoted tabs": table(EXAMPLES, "\t", quote=quoted),
    "names that nobody foresaw": table(EXAMPLES, ";", ("stars", "verdict"), quoted),
    "label text": "\n".join(f"{label} {text}" for text, label in EXAMPLES),
    "fastText": "\n".join(f"__label__{label} {text}" for text, label in EXAMPLES),
    "fastText, the class last": "\n".join(f"{text} __label__{label}" for text, label in EXAMPLES),
    "JSON lines": "\n".join(
        json.dumps({"idx": i, "label": int(label), "text": text})
        for i, (text, label) in enumerate(EXAMPLES)
    ),
}


def all_of(data):
    return {(one.text, one.label) for one in (*data.train, *data.dev, *data.test)}


@pytest.mark.parametrize("name", FILES)
def test_the_same_examples_are_read_from_each_format(name):
    assert all_of(own_classes(FILES[name])) == set(EXAMPLES)


@pytest.mark.parametrize(
    "names",
    [
        ("sentence1", "sentence2", "label"),
        ("premise", "hypothesis", "gold_label"),
        ("label", "hypothesis", "premise"),
    ],
)
@pytest.mark.parametrize("mark", ["\t", ",", ";"])
def test_pairs_are_read_by_the_names_of_their_columns(names, mark):
    rows = PAIRS if names[-1] != "premise" else [pair[::-1] for pair in PAIRS]
    data = own_classes(table(rows, mark, names))
    everything = (*data.train, *data.dev, *data.test)
    assert {(one.text, one.pair, one.label) for one in everything} == set(PAIRS)


def test_the_columns_of_mnli_are_known_among_others():
    names = ("index", "promptID", "genre", "sentence1_parse", "sentence1", "sentence2")
    rows = [(str(i), "7", "fiction", "( x )", a, b, y, y) for i, (a, b, y) in enumerate(PAIRS)]
    data = read_own_classes(table(rows, names=(*names, "label1", "gold_label")))
    assert data.layout.roles == {"label": 8, "text": 5, "pair": 6, "part": 0, "header": 1}


def test_a_line_break_in_quotes_belongs_to_its_text_also_between_tabs():
    rows = [("a", "one\ntwo"), *((f"{'ab'[i % 2]}", f"text {i}") for i in range(9))]
    for mark in "\t,;":
        data = own_classes(table(rows, mark, quote=quoted))
        assert ("one two", "a") in all_of(data)


def test_a_comma_or_a_quote_in_a_text_between_tabs_means_nothing():
    rows = [('"Yes', "a"), ('No"', "b"), ('"Both"', "a"), ("One, two", "b")] * 2
    rows = [(f"{text} {i}" if i != 2 else text, label) for i, (text, label) in enumerate(rows)]
    assert all_of(own_classes(table(rows))) == set(rows)


def test_what_was_understood_is_told():
    data = read_own_classes(FILES["an index before it"] + "9\tA bore\t0\n")
    assert data.layout.format == "tabs" and data.layout.names == ("index", "sentence", "label")
    assert data.layout.first[0] == ("0", "It was fine, really.", "1")
    assert (data.n_read, data.n_duplicates, data.n_left_out, data.given) == (9, 1, 0, ())
    assert data.layout.roles == {"label": 3, "text": 2, "pair": 0, "part": 0, "header": 1}


def test_a_reader_may_say_which_column_is_what_and_lines_keep_their_numbers():
    text = table([("n", text, label) for text, label in EXAMPLES])
    said = with_roles(text, {"label": 3, "text": 2, "pair": 0, "header": 0})
    assert all_of(own_classes(said)) == set(EXAMPLES)
    with pytest.raises(ValueError, match=r"^line 9: read 1 column, 'odd'"):
        own_classes(with_roles(text + "odd", {"label": 3, "text": 2}))
    with pytest.raises(ValueError, match="one has to be the class and another one the text"):
        own_classes(with_roles(text, {"label": 2, "text": 2}))


def test_an_index_is_no_text():
    with pytest.raises(ValueError, match=r"the columns are 1, 2: .* an index is neither"):
        own_classes("".join(f"{i}\t{'ab'[i % 2]}\n" for i in range(12)))


def test_a_column_of_parts_divides_and_several_files_do():
    of = ["train"] * 4 + ["validation"] * 2 + ["test"] * 2
    pairs = [EXAMPLES[i] for i in (0, 4, 1, 5, 2, 6, 3, 7)]
    rows = [(part, *example) for part, example in zip(of, pairs, strict=True)]
    by_column = read_own_classes(table(rows, names=("split", "text", "label")))
    names = ("text", "label")
    by_files = read_own_classes(
        join_files(
            [
                ("my-train.tsv", table(pairs[:4], names=names)),
                ("dev.tsv", table(pairs[4:6], names=names)),
                ("TEST.tsv", "\ufeff" + table(pairs[6:], names=names)),
            ]
        )
    )
    for data in (by_column, by_files):
        assert data.given == ("train", "dev", "test")
        assert [len(data.dataset.train), len(data.dataset.dev)] == [4, 2]
        assert {one.text for one in data.dataset.test} == {GOOD[3], BAD[3]}


def test_a_dev_part_without_a_test_part_is_the_test_and_dev_is_drawn():
    text = "# part: train\n" + table(EXAMPLES[1:7]) + "# part: dev\n" + table(EXAMPLES[::7])
    data = read_own_classes(text)
    assert {one.text for one in data.dataset.test} == {GOOD[0], BAD[3]}
    assert data.given == ("train", "dev")


def test_no_test_example_is_learnt():
    text = "# part: train\n" + table(EXAMPLES) + "# part: test\n" + table(EXAMPLES[::7])
    data = read_own_classes(text)
    assert data.n_duplicates == 2
    assert not set(data.dataset.test) & {*data.dataset.train, *data.dataset.dev}


def test_more_examples_than_are_taken_are_drawn_from():
    data = read_own_classes("".join(f"{'ab'[i % 2]}\ttext {i}\n" for i in range(5_001)))
    kept = (*data.dataset.train, *data.dataset.dev, *data.dataset.test)
    assert len(kept) == 2_000 and data.n_left_out == 3_001
    assert max(int(one.text.split()[1]) for one in kept) > 4_900


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("odd", "read 1 column, 'odd': expected 2 as on most lines"),
        ("1\t", "read '1 | ', column 2 is empty: expected a class and a text"),
    ],
)
def test_an_error_names_the_first_three_lines_and_counts_the_others(line, said):
    text = "".join(f"{'ab'[i % 2]}\ttext {i}\n" for i in range(40))
    with pytest.raises(ValueError) as caught:
        own_classes(text + f"{line}\n" * 5)
    *first, last = str(caught.value).split("\n")
    assert [one.split(":")[0] for one in first] == ["line 41", "line 42", "line 43"]
    assert said in first[0] and last == "and 2 more such lines"


def test_a_bad_line_of_json_says_what_one_looks_like():
    with pytest.raises(ValueError, match=r"line 9: read '\[1\]': expected one JSON object"):
        own_classes(FILES["JSON lines"] + "\n[1]")
    deep = "[" * 100_000
    with pytest.raises(ValueError, match="line 9: read "):
        own_classes(FILES["JSON lines"] + '\n{"a":' + deep)


@pytest.mark.parametrize("mark", ["\t", ","])
def test_a_long_file_is_cut_down_to_whole_examples(mark):
    texts = [f"text {i},\n{'x' * (i % 5)}" if i % 3 else f"text {i}" for i in range(900)]
    rows = [(text, "ab"[i % 2]) for i, text in enumerate(texts)]
    text = table(rows, mark, ("sentence", "label"), quoted)
    thinned = thin_text(text, 5_000)
    assert 3_000 < len(thinned) <= 5_000 or mark == "\t"
    if mark == ",":
        data = own_classes(thinned)
        assert all(re.fullmatch(r"text \d+,? ?x*", one.text) for one in data.train)
    sentences = thin_text("".join(f"Ada{i} B-PER\nsleeps O\n\n" for i in range(900)), 5_000)
    assert {one.words[1:] for one in read_conll(sentences).sentences} == {("sleeps",)}
    with pytest.raises(ValueError, match="the text has 9,000 characters, and 500 are allowed"):
        thin_text("x" * 9_000, 500)


@pytest.mark.parametrize(
    "written",
    [
        lambda rows: json.dumps(rows, indent=2),
        json.dumps,
        lambda rows: json.dumps({"data": rows}, indent=1),
        lambda rows: "\n".join(map(json.dumps, rows)),
        lambda rows: "\n".join(json.dumps(row, indent=1) for row in rows),
    ],
    ids=["indented", "one line", "under a name", "lines", "indented, without a list"],
)
def test_a_long_file_of_json_is_cut_down_to_whole_objects(written):
    rows = [{"text": f'text {i} of 5"', "label": "ab"[i % 2]} for i in range(900)]
    data = read_own_classes(thin_text(one_a_line(written(rows)), 5_000))
    assert 50 < data.n_read < 900 and not data.odd_lines
    assert {re.sub(r"\d+", "", one.text, count=1) for one in data.dataset.train} == {'text  of 5"'}


def test_fields_of_json_beyond_the_fiftieth_are_said():
    rows = [
        {"text": f"text {i}", "label": "ab"[i % 2]} | {f"x{j}": j for j in range(49)}
        for i in range(12)
    ]
    (odd,) = read_own_classes("\n".join(map(json.dumps, rows))).odd_lines
    assert (odd.reason, odd.first, len(odd.numbers)) == ("fields", "x48", 12)


# -- tagged words --------------------------------------------------------------------------------

EXPECTED = (
    TaggedSentence(words=("Oslo", "3", "waits"), spans=(Span(start=0, end=1, type="LOC"),)),
    TaggedSentence(words=("Ada", "Lovelace"), spans=(Span(start=0, end=2, type="PER"),)),
)
UNER = """# sent_id = weblog-1
# text = Oslo 3 waits O
1\tOslo\tB-LOC\t-\t-
2\t3\tO\t-\t-
3\twaits\tO\t-\t-

# sent_id = weblog-2
# text = Ada O
1\tAda\tB-PER\t-\t-
2\tLovelace\tI-PER\t-\tAda
"""
BIO = "Oslo B-LOC\n3 O\nwaits O\n\n# a comment that ends in O\nAda B-PER\nLovelace I-PER\n"
TAGGED = {
    "UNER": UNER,
    "index word tag": "\n".join(
        line if line.startswith("#") else "\t".join(line.split("\t")[:3])
        for line in UNER.split("\n")
    ),
    "with spaces": UNER.replace("\t", " "),
    "counted through": UNER.replace("1\tAda", "4\tAda").replace("2\tLove", "5\tLove"),
    "plain BIO": BIO,
    "CoNLL-2003": BIO.replace(" B", " NNP B-NP B")
    .replace(" I-", " NNP I-NP I-")
    .replace("3 O", "3 CD B-NP O")
    .replace("waits O", "waits VBZ B-VP O"),
    "the tag first": "B-LOC\tOslo\nO\t3\nO\twaits\n\nB-PER\tAda\nI-PER\tLovelace",
}


@pytest.mark.parametrize("name", TAGGED)
def test_the_same_sentences_are_read_from_each_format(name):
    assert read_conll(TAGGED[name]).sentences == EXPECTED


def test_an_index_is_never_the_word_and_a_reader_may_say_the_columns():
    assert read_conll(UNER).layout.roles == {"word": 2, "tag": 3}
    others = read_conll(with_roles(UNER, {"word": 4, "tag": 3}))
    assert others.sentences[0].words == ("-", "-", "-")


def test_tagged_sentences_have_parts_and_what_was_read_is_told():
    of = "".join(f"Ada{i} B-PER\nsleeps O\n\n" for i in range(8))
    text = join_files([("train.iob2", of), ("test.iob2", BIO), ("dev.iob2", "Bo B-PER\n")])
    data = read_own_entities(text)
    assert (len(data.dataset.train), len(data.dataset.dev), len(data.dataset.test)) == (8, 1, 2)
    assert data.layout.first[:2] == (("Ada0", "B-PER"), ("sleeps", "O")) and data.layout.names == (
        "1",
        "2",
    )
    assert data.dataset.classes == ("LOC", "PER")


def test_the_first_three_bad_lines_of_columns_are_named():
    with pytest.raises(ValueError) as caught:
        read_conll(UNER + "x\n3\ty\tPER\t-\t-\n4\tz\n5\ty\tb\t-\t-\n")
    first = str(caught.value).split("\n")
    assert first[0].startswith("line 11: read 1 column, 'x': expected 5")
    assert first[1].startswith("line 12: read 'PER' as the tag of 'y': expected O, or B-")
    assert len(first) == 4 and first[3] == "and 1 more such lines"


def test_several_files_without_a_part_in_their_names_are_refused():
    with pytest.raises(ValueError, match=r"'b\.tsv' doesn't say which part it is"):
        join_files([("train.tsv", "a"), ("b.tsv", "b")])
