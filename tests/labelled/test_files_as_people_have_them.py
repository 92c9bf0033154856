"""Files in the forms that people have them in: encodings, dialects, and what is wrong with them.

Each row is a file as somebody reported it, in our own words. What is right was written down before
the readers were made to give it.
"""

import json
from random import Random

import pytest

from mlm_core.labelled.conll import read_conll, read_own_entities
from mlm_core.labelled.conll_columns import layout_of_columns
from mlm_core.labelled.file_kinds import EXPECTED, kind_of, refuse_other_kinds
from mlm_core.labelled.own_parts import OddLines, join_files, with_roles, without_cut_line
from mlm_core.labelled.tables import layout_of_table, named_rows, own_classes, read_own_classes
from mlm_core.text.plain_text import decode_text, decoded_as

GOOD = ("It’s a warm film – I’d see it again", "A small miracle, don’t miss it", "What a café")
BAD = ("It’s a dull film – I left early", "A long bore, don’t go", "Für 5 € ein öder Abend")
ROWS = [(text, "pos") for text in GOOD] + [(text, "neg") for text in BAD]
RUSSIAN = [
    (f"Очень {word} фильм номер {n}", word) for n in range(6) for word in ("хороший", "плохой")
]


def csv_of(rows, mark=",", names=("text", "label"), end="\n") -> str:
    quoted = ['"' + text.replace('"', '""') + f'"{mark}{label}' for text, label in rows]
    return end.join([mark.join(names), *quoted, ""])


def plain(rows, mark=",") -> str:
    return "\n".join(f"{text.replace(',', '')}{mark}{label}" for text, label in rows)


def records(rows) -> list[dict]:
    return [{"text": text, "label": label} for text, label in rows]


def lines(of) -> str:
    return "\n".join(json.dumps(one) for one in of)


def read(data: bytes | str) -> set[tuple[str, str]]:
    """Return the texts and classes of a file, as the app reads it."""
    data = data.encode() if isinstance(data, str) else data
    parts = own_classes(without_cut_line(decode_text(data))[0].text)
    return {(one.text, one.label) for one in (*parts.train, *parts.dev, *parts.test)}


WESTERN = csv_of(ROWS, end="\r\n")
HASHED = [(f"# {text}" if i % 2 else text, label) for i, (text, label) in enumerate(ROWS)]
TABLES = {
    # encodings
    "Excel on Windows": WESTERN.encode("cp1252"),
    "UTF-8 with its mark": WESTERN.encode("utf-8-sig"),
    "UTF-16 with its mark": WESTERN.encode("utf-16"),
    "UTF-16 without mark": WESTERN.encode("utf-16-le"),
    "UTF-16, large end first, without mark": WESTERN.encode("utf-16-be"),
    "UTF-32 with its mark": WESTERN.encode("utf-32"),
    "cut inside a character": plain(ROWS).encode() + "\nnoch ein öder Film, schö".encode()[:-1],
    "UTF-16, cut inside a character": WESTERN.encode("utf-16") + b"x",
    # dialects of CSV
    "sep=;": "sep=;\r\n" + csv_of(ROWS, ";", end="\r\n"),
    "sep=,": "sep=,\r\n" + csv_of(ROWS),
    '"sep=|" in quotes': '"sep=|"\n' + csv_of(ROWS, "|"),
    "sep= and a sign that separates nothing": "sep=x\n" + csv_of(ROWS, ";"),
    "vertical bars": csv_of(ROWS, "|"),
    "sep= and a tab": "sep=\t\n" + csv_of(ROWS, "\t"),
    "quotes with backslashes": "text,label\n"
    + "\n".join(f'"He said \\"{text}\\", twice",{label}' for text, label in ROWS),
    "empty columns behind": "v1,v2,,,\n" + "\n".join(f'{y},"{x}",,,' for x, y in ROWS),
    "rows that begin with #": "text,label\n" + plain(HASHED),
    "rows that begin with #, semicolons": plain(HASHED, ";"),
    "rows that begin with #, tabs": plain(HASHED, "\t"),
    "two files in one, with their names": csv_of(ROWS[:4]) + csv_of(ROWS[4:]),
    "comments between the rows": "# by Ada, 2019\n" + plain(ROWS) + "\n# the end\n#\n",
    # JSON
    "a list": json.dumps(records(ROWS)),
    "a list in many lines": json.dumps(records(ROWS), indent=2),
    "a list with one record a line": "[\n" + lines(records(ROWS)).replace("}\n", "},\n") + "\n]",
    "records under a name": json.dumps({"version": "1", "data": records(ROWS)}, indent=1),
    "pandas, by columns": json.dumps(
        {"text": dict(enumerate(x for x, _ in ROWS)), "label": dict(enumerate(y for _, y in ROWS))}
    ),
    "datasets, by columns": json.dumps(
        {"text": [x for x, _ in ROWS], "label": [y for _, y in ROWS]}
    ),
    "objects in many lines": "\n".join(json.dumps(one, indent=1) for one in records(ROWS)),
    "doccano": lines({"id": i, "text": x, "label": [y]} for i, (x, y) in enumerate(ROWS)),
    "labels in a list": lines({"data": x, "labels": [y]} for x, y in ROWS),
}
CHANGED = {
    "cut inside a character": [(x.replace(",", ""), y) for x, y in ROWS],
    "quotes with backslashes": [(f'He said "{x}", twice', y) for x, y in ROWS],
    "comments between the rows": [(x.replace(",", ""), y) for x, y in ROWS],
} | {
    name: [(x.replace(",", ""), y) for x, y in HASHED]
    for name in TABLES
    if name.startswith("rows that begin")
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_read_as_it_was_meant(name):
    assert read(TABLES[name]) == set(CHANGED.get(name, ROWS))


@pytest.mark.parametrize(
    ("encoding", "name", "text"),
    [
        ("cp1251", "windows-1251", csv_of(RUSSIAN)),
        ("koi8-r", "KOI8-R", csv_of(RUSSIAN)),
        (
            "cp1250",
            "windows-1250",
            "Zażółć gęślą jaźń, to był dobry film\nŚwietny aktor, zły żart\n",
        ),
        ("cp1253", "windows-1253", "Η ταινία ήταν πολύ καλή, μου άρεσε πολύ\n" * 3),
        ("gb18030", "GB18030", "这部电影很好看,pos\n这部电影很无聊,neg\n" * 3),
        ("big5", "Big5", "這部電影很好看,pos\n這部電影很無聊,neg\n" * 3),
        ("cp949", "UHC", "이 영화는 정말 재미있었다,pos\n지루한 영화였다,neg\n" * 3),
        (
            "cp932",
            "CP932",
            "この映画は本当に素晴らしい。また観たいです。,良い\n退屈で長すぎる。二度と観ない。,悪い\n"
            * 8,
        ),
        (
            "cp1252",
            "windows-1252",
            "We sat on the river’s bank – alone\nThe bank’s clerk was kind\n",
        ),
        ("cp1252", "windows-1252", "L’été fut très beau, garçon; où êtes-vous ?\n"),
        ("cp850", "IBM850", "Schöne Grüße aus Köln, für alle\n" * 3),
    ],
)
def test_other_encodings_are_told_by_their_words(encoding, name, text):
    decoded = decode_text(text.encode(encoding))
    assert (decoded.encoding, decoded.text) == (name, text)


def test_where_several_encodings_fit_that_is_a_doubt_and_each_shows_its_words():
    text = "Bu film çok güzeldi, oyuncular şaşırtıcı derecede iyiydi, ışık\n"
    decoded = decode_text(text.encode("cp1254"))
    assert decoded.in_doubt and decoded.samples["windows-1254"] == "şaşırtıcı ışık"
    assert decoded_as(decoded.text, decoded.encoding, "windows-1254") == text
    assert not decode_text(csv_of(RUSSIAN).encode("cp1251")).in_doubt
    japanese = decode_text(
        ("この映画はとても面白かった\nつまらない映画でした\n" * 3).encode("cp932")
    )
    assert japanese.in_doubt and japanese.samples["CP932"].startswith("この映画")
    rng = Random(1)
    odd = decode_text(b" ".join(bytes(rng.choices(range(0xC0, 0xFF), k=14)) for _ in range(99)))
    assert odd.in_doubt and len(odd.samples) > 5  # the library finds none for these words
    old = decode_text(("Schöne Grüße aus Köln, für alle\n" * 3).encode("mac_roman"))
    assert old.in_doubt and "Grüße" in old.samples["macintosh"]


def test_other_encodings_are_offered_however_sure_the_guess_is():
    for line in ("映画はとても良かったです。\n", "サービスが遅かった。\n"):
        decoded = decode_text((line * 30).encode("cp932"))
        assert "CP932" in decoded.samples
        assert decoded_as(decoded.text, decoded.encoding, "CP932") == line * 30


def test_utf_8_with_wrong_bytes_stays_utf_8_and_its_lines_are_named():
    decoded = decode_text("Grüße, schöne\nfür ".encode() + b"caf\xe9\n" + "übel\n".encode())
    assert decoded.text == "Grüße, schöne\nfür caf\ufffd\nübel\n"
    assert (decoded.encoding, decoded.broken_lines, decoded.is_cut) == ("UTF-8", (2,), False)
    cut, line = without_cut_line(decode_text("ein öder, schöner Tag\nsch".encode() + b"\xc3\xc3"))
    assert (cut.text, cut.broken_lines, line) == ("ein öder, schöner Tag\n", (), "sch\ufffd")


@pytest.mark.parametrize(
    ("begin", "kind"),
    [(b"PK\x03\x04", ".xlsx"), (b"%PDF-1.5 \xff\x00", "PDF"), (b"\x1f\x8b", ".gz")],
)
def test_a_document_is_refused_with_its_kind(begin, kind):
    with pytest.raises(ValueError, match=rf"no plain text but .*{kind}.*: open it in its program"):
        decode_text(begin + bytes(range(256)))


# -- columns ------------------------------------------------------------------------------------


def columns_of(names: str, *rows: str) -> str:
    """Return a table of twelve rows; {n} counts, {i} and {j} are 0 or 1 by turns."""
    filled = (rows[n % len(rows)].format(n=n, i=n % 2, j=n // 3 % 2) for n in range(12))
    return "\n".join([names, *filled])


COLUMNS = {
    "airline tweets": (
        columns_of(
            "tweet_id,airline_sentiment,airline_sentiment_confidence,airline,text,tweet_created",
            "57{n}3,positive,0.6842,Blue,warm film {n},2015-02-24 11:1{n}",
            "56{n}3,negative,1.0,Blue,dull film {n},2015-02-24 11:1{n}",
        ),
        ("airline_sentiment", "text"),
        {"label"},
    ),
    "reviews": (
        columns_of(
            "Id,ProductId,HelpfulnessNumerator,Score,Summary,Text",
            "{n},B{n}K,{j},5,warm {n},a warm film {n}",
            "{n},B{n}K,{j},1,dull {n},a dull film {n}",
        ),
        ("Score", "Text"),
        {"label"},
    ),
    "a 0/1 column beside the class": (
        columns_of("id,is_reply,stance,tweet", "{n},{j},for,yes {n}", "{n},{j},against,no {n}"),
        ("is_reply", "tweet"),
        {"label"},
    ),
    "two texts, none named": (
        columns_of(
            "headline,body,label", "warm film {n},it was fine {n},1", "cold {n},it was bad {n},0"
        ),
        ("label", "body"),
        {"text"},
    ),
    "the usual names": (
        columns_of("text,label,source", "warm {n},1,web", "cold {n},0,web"),
        ("label", "text"),
        set(),
    ),
    "hate speech": (
        columns_of("count,hate_speech,neither,class,tweet", "3,0,{j},2,a {n}", "3,1,{j},0,b {n}"),
        ("class", "tweet"),
        set(),
    ),
    "two columns": (
        columns_of("stars,verdict", "5,a warm film {n}", "1,a dull film {n}"),
        ("stars", "verdict"),
        set(),
    ),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_the_class_is_found_among_other_columns_and_a_guess_is_a_doubt(name):
    text, (label, of_text), doubts = COLUMNS[name]
    layout = layout_of_table(text)
    found = layout.roles
    assert (layout.names[found["label"] - 1], layout.names[found["text"] - 1]) == (label, of_text)
    assert set(layout.doubts) == doubts
    for role, columns in layout.doubts.items():
        assert columns[0] == found[role]
        assert not layout_of_table(with_roles(text, {role: columns[-1]})).doubts


# -- what could give the answer -------------------------------------------------------------------

NOUNS = "soup bread film room play walk song tea book tale bus sea".split()


def rows_of(*fields: str, n: int = 12) -> str:
    """Return n rows without names: {n} counts, {w} in words; {i} is 0 or 1, {j} 0 to 3 by turns."""
    rows = (
        "\t".join(fields).format(w=NOUNS[n % 12], n=n, i=n % 2, j=n % 4, k=n // 3) for n in range(n)
    )
    return "\n".join(rows)


FINE = {
    # a coarse and a fine label behind the text, as in GermEval 2018
    "fine behind": (rows_of("Die Suppe {n} war warm; gut.", "{i}OFF", "{j}ABUSE"), 1, (2, 3)),
    "fine before": (rows_of("{i}OFF", "{j}ABUSE", "The {w} was {n}; we left."), 3, (1, 2)),
    "many fine ones": (rows_of("The {w} was {n}.", "{i}a", "intent {w} {i}", n=90), 1, (2, 3)),
    "fine, where there is one": (
        rows_of("The {w} was {n}.", "{i}a", "{j}x").replace("0x", "").replace("2x", ""),
        1,
        (2, 3),
    ),
    "sentences": (rows_of("The {w} was {n}.", "{i}a", "This is class {i}."), 1, (2, 3)),
}


@pytest.mark.parametrize("name", FINE)
def test_a_column_of_few_values_is_no_second_text_before_somebody_says_so(name):
    text, of_text, classes = FINE[name]
    layout = layout_of_table(text)
    assert (layout.roles["text"], layout.roles["pair"]) == (of_text, 0)
    assert layout.doubts == {"label": classes, "pair": (0, classes[1])}
    assert {one.pair for one in own_classes(text).train} == {None}
    said = with_roles(text, {"label": classes[0], "pair": classes[1]})
    assert not layout_of_table(said).doubts
    if name != "fine, where there is one":
        assert all(one.pair for one in own_classes(said).train)
    with pytest.raises(ValueError, match="one has to be the class"):
        own_classes(with_roles(text, {"label": classes[1], "pair": classes[1]}))


@pytest.mark.parametrize(
    "text",
    [
        rows_of("{i}a", "The {w} was warm on day {n}.", "It was {i}{n} today."),
        rows_of("{i}a", "The {w} was warm on day {n}.", "It was {i}{n} today.", n=6),
        rows_of("{i}a", "Which is the answer to question {n}?", "{w}"),
        rows_of("{i}a", "the {w} was as warm as on day {n}", "on day {k} it was"),  # each thrice
        rows_of("{i}a", "The {w} was as warm as on day {n}.", "On day {k} it was.", n=60),
    ],
)
def test_a_second_text_is_one_without_a_question(text):
    layout = layout_of_table(text)
    assert (layout.roles["text"], layout.roles["pair"], layout.doubts) == (2, 3, {})


@pytest.mark.parametrize("third", ["0.{n}7", "en", "2015-02-{n}"])
def test_a_column_without_words_or_of_one_value_is_no_input(third):
    layout = layout_of_table(rows_of("The {w} was warm on day {n}.", "{i}a", third))
    assert (layout.roles["text"], layout.roles["pair"], layout.doubts) == (1, 0, {})


def test_rows_that_an_annotator_rejected_are_left_out_and_counted():
    rows = [{**one, "answer": "accept"} for one in records(ROWS)]
    wrong = {"text": "A dull, dull film", "label": "pos"}
    rows[2:2] = [wrong | {"answer": "reject"}, wrong | {"answer": "ignore"}]
    data = read_own_classes(lines(rows))
    assert (data.n_read, [(one.reason, one.numbers) for one in data.odd_lines]) == (
        len(ROWS),
        [("rejected", (3, 4))],
    )
    assert read(lines(rows)) == set(ROWS)
    for column, good, poor in (("status", "ok", "rejected"), ("valid", "Valid", "Invalid")):
        of = [f"{text},{y},{good}" for text, y in MOODS] + [f"A film,a,{poor}"]
        data = read_own_classes("\n".join([f"text,label,{column}", *of]))
        assert (data.n_read, data.odd_lines[-1].numbers) == (12, (14,))
    verdicts = [{"text": text, "answer": "accept" if y == "pos" else "reject"} for text, y in ROWS]
    assert read_own_classes(lines(verdicts)).dataset.classes == ("accept", "reject")


MOODS = [(f"{noun} number {n}", "ab"[n % 2]) for n, noun in enumerate(NOUNS)]


@pytest.mark.parametrize(
    ("labels", "hidden"),
    [
        (["1", "0", "2", "-1"], {"-1"}),  # three classes, as in NLI
        (["1.0", "0.0", "2.0", "-1.0"], {"-1.0"}),
        (["entailment", "neutral", "-"], {"-"}),
        (["good", "bad", "?"], {"?"}),
        (["1", "0", "-1"], set()),  # a scale
        (["1", "-1"], set()),
        (["+", "-"], set()),
    ],
)
def test_hidden_labels_are_left_out_and_counted_and_a_scale_is_none(labels, hidden):
    data = read_own_classes(
        "\n".join(f"{labels[n % len(labels)]}\t{text}" for n, (text, _) in enumerate(MOODS))
    )
    assert set(data.dataset.classes) == set(labels) - hidden
    numbers = tuple(n + 1 for n in range(12) if labels[n % len(labels)] in hidden)
    assert [(one.reason, one.numbers) for one in data.odd_lines] == [("hidden", numbers)][
        : len(hidden)
    ]


def test_a_test_part_of_hidden_labels_is_drawn_anew_and_alone_it_is_refused():
    train = csv_of([(text, str("ab".index(label))) for text, label in MOODS])
    test = csv_of([(f"{text} too", "-1") for text, _ in MOODS])
    data = read_own_classes(join_files([("train.csv", train), ("test.csv", test)]))
    assert (data.given, data.n_read) == (("train",), 12)
    assert [len(one.numbers) for one in data.odd_lines if one.reason == "hidden"] == [12]
    with pytest.raises(
        ValueError, match="each class is -1: such labels are hidden, as in the test"
    ):
        own_classes(test)


@pytest.mark.parametrize("before", ["", "# by Ada; 2019\n"])
def test_a_column_that_is_not_there_is_none(before):
    text = with_roles(before + csv_of(MOODS, ";"), {"label": 7, "pair": 9})
    assert (layout_of_table(text).roles["label"], layout_of_table(text).roles["pair"]) == (0, 0)
    with pytest.raises(ValueError, match="one has to be the class"):
        own_classes(text)


def test_quotes_and_apostrophes_that_cut_nothing_are_read():
    for begin, end in (("'Tis day {n}", "the dogs'"), ('"Wow {n}", he said', 'she said "no {w}"')):
        data = own_classes(rows_of("{i}a", begin, f"{end} {{w}}", n=8))
        assert len((*data.train, *data.dev, *data.test)) == 8


# -- what a file is, asked before its lines are read ---------------------------------------------

SPANS_OF = {"text": "Lena Ott in Bern", "label": [[0, 8, "PER"], [12, 16, "LOC"]]}
OTHER_KINDS = {
    "json": (
        lines([{"tokens": ["Lena", "Ott"], "label": "good"}] * 4),
        lines([SPANS_OF] * 4),
        json.dumps([SPANS_OF] * 4, indent=1),
        json.dumps({"data": [{"sentence": "Lena Ott", "entities": []}]}),
    ),
    "tokens": (
        lines([{"tokens": ["Lena", "Ott"], "ner_tags": [1, 2]}] * 4),
        json.dumps([{"words": ["Lena"], "labels": ["B-PER"]}], indent=1),
        json.dumps({"tokens": {"0": ["Lena"]}, "tags": {"0": [0]}}),
    ),
    "markdown": ("| a | b |\n|---|:-:|\n| x | y |", "a|b\n-|-\nx|y", "|a|\n|-|\n|x|\n|y|"),
    "arff": (
        "@relation films\n@data\ngood,warm",
        "% Films\n%\n@RELATION 'films'\n@attribute text string",
        "# by Ada\n@Relation x",
    ),
    "joined": (
        "Lena/PER Ott/PER sells/O\nIt/O is/O ./O",
        "Lena|B-PER Ott|I-PER sells|O .|O",
        "Lena_PER in_O Bern_LOC ._.",
        "Lena/B-PER Ott/I-PER 1/2/O //O",
        "The/DT cat/NN sat/VBD ./.\nIt/PRP slept/VBD",
    ),
    "conllu": tuple(
        "\n".join(f"{n}\tWort\tWort\tNOUN\tNN\tCase=Nom\t0\troot\t_\t{last}" for n in range(1, 9))
        for last in ("NER=B-PER", "SpaceAfter=No|NER=O", "Entity=(1-person)", "_")
    ),
    "letters": tuple(
        "\n".join(f"{letter}{mark}{tag}" for tag in ("B-PER", "O", "O") * 6 for letter in word)
        for word, mark in (("Mir", "\t"), ("Bär", " "), ("да", "\t"))
    ),
    "parallel": (
        "Lena is in Bern\tB-PER O O B-LOC\nIt is\tO O",
        "text,labels\n" + '"Lena, is",B-PER O\n' * 9,
        '"Lena is";"B-PER O"\n' * 4,
    ),
    "standoff": (
        "T1\tPER 0 4\tLena\nT2\tLOC 8 12\tBern",
        "T1\tPER 0 4;6 9\tLena Ott\n#1\tAnnotatorNotes T1\tso",
        "T1\tPER 0 4\tLena\nR1\tlives Arg1:T1 Arg2:T2",
    ),
    "inline": (
        "<PER>Lena Ott</PER> is in <LOC>Bern</LOC>.",
        "So <person>Lena</person> said.\n" * 3,
        "<START>Lena</START> is\n" * 2,
    ),
    "vectors": ("1 3:0.5 7:1\n0 2:1\n", "-1 1:1 2:-0.5e-3 \n+1 4:2", "a 1:1\nb 2:1"),
    "python": ('[("Lena is", {"entities": []})]', "TRAIN_DATA = [\n(1)]", "[(1,\n2)]"),
    "page": ("<!DOCTYPE html>\n<p>Lena</p>", "<?xml version=1?>", " \n<HTML lang=de>"),
    "document": ("{\\rtf1\\ansi Lena}", "{\\rtf\\mac x", "\n{\\rtf1 a\n}"),
    "receipts": ("MLM1.Q4IQ47WS.PDNI", "  MLM1.A.B\nMLM1.C.D", "mlm1.a.b"),
    "plan": tuple(
        json.dumps({"format": "mlm-lesson-plan", "version": n, "steps": []}, indent=n)
        for n in (1, 2, 3)
    ),
    "table": ("id,sense,sentence\n0,river,a bank", "Text;Klasse\na;b", '"label"\t"Satz"\na\tb'),
}
READ_BY = {"json": {"classes", "lines"}, "table": {"classes", "lines"}}
READ_BY["tokens"] = {"classes", "lines", "tags"}
READ_BY["inline"] = {"classes", "lines", "text"}  # pages have such marks, too


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_each_door_says_of_another_kind_of_file_what_it_is(kind):
    for text in OTHER_KINDS[kind]:
        assert kind_of(text) == kind
        for door in EXPECTED.keys() - READ_BY.get(kind, set()):
            with pytest.raises(ValueError, match=r"this is no text for here but .*: expected "):
                refuse_other_kinds(text, door)


@pytest.mark.parametrize(
    "text",
    [
        "She said and/or, he said either/or.\nIt was 1/2 of all.",
        "我 B-PER\n是 O\n人 O\n" * 20,  # a character is a word here
        "A O\nB B-PER\n" * 4,
        "B\tIt was warm.\nI\tIt was cold, I say.\n" * 4,
        "text\nreview\nIt was warm.",
        "Text, Musik und Gesang: Ada.\nSie sang.",
        "A1\tIt was warm.\nA2\tIt was cold.\n" * 4,  # levels of a language
        "N\tIt was warm.\nE\tIt was cold.\n" * 4,
    ],
)
def test_what_only_looks_like_another_kind_is_read(text):
    assert kind_of(text) in ("text", "tagged")


def test_a_long_text_is_judged_by_its_beginning():
    assert kind_of("It was 1/2 of all.\n" * 2_000 + "Lena/PER sells/O\n" * 20_000) == "text"


def test_texts_are_read_from_lines_from_json_and_from_columns_with_names():
    rows = [("river", "A bank; steep."), ("money", "A bank, shut."), ("river", "The bank.")]
    senses = [{"sense": sense, "sentence": text} for sense, text in rows]
    of_names = {
        "id,sense,sentence": ",",
        "Nr;Bedeutung;Satz": ";",
        "ID|Sense|Text": "|",
    }
    for names, mark in of_names.items():
        table = [f'{n}{mark}{sense}{mark}"{text}"' for n, (sense, text) in enumerate(rows)]
        for lines_before in ([], ["# by Ada, 2019"]):
            assert named_rows("\n".join([*lines_before, names, *table])) == rows
    assert named_rows(json.dumps(senses)) == named_rows(lines(senses)) == rows
    assert named_rows("sentence,source\nA bank,web\nThe bank,web") == [
        ("", "A bank"),
        ("", "The bank"),
    ]
    assert (
        named_rows("\n".join(f'"{text}","{sense}"' for sense, text in rows), is_table=True) == rows
    )
    for plain in ("river: a bank, steep\nmoney: a bank", "river\tA bank.", "", "Row, row, row"):
        assert named_rows(plain) is None
    assert named_rows("", is_table=True) is None


# -- what is left out, and what can't be read ----------------------------------------------------


def test_nothing_vanishes_without_a_word():
    text = "# by Ada\nsep=,\n" + csv_of(ROWS * 2) + "# the end\n"
    data = read_own_classes(text)
    assert (data.n_lines, data.n_read, data.n_duplicates) == (16, 12, 6)
    assert data.odd_lines == (
        OddLines(reason="mark", numbers=(2,), first="sep=,"),
        OddLines(reason="comment", numbers=(1, 16), first="# by Ada"),
        OddLines(reason="names", numbers=(3,), first="text | label"),
    )


@pytest.mark.parametrize(
    "change", [str.upper, lambda text: f" {text}  ", lambda text: text.replace(" ", "\u00a0 ")]
)
def test_a_test_text_that_was_learnt_with_other_capitals_is_a_duplicate(change):
    many = [(f"{text} {n}", label) for n in range(2) for text, label in ROWS]
    rows = [f'"{text}",{label},train' for text, label in many]
    rows += [f'"{change(text)}",{label},test' for text, label in many[:6]]
    data = read_own_classes("\n".join(["text,label,split", *rows]))
    assert (data.n_duplicates, len(data.dataset.test)) == (6, 6)
    rows = [*rows[:6], *rows[12:]]
    with pytest.raises(ValueError, match="6 duplicates, and class 'pos' has no other example"):
        read_own_classes("\n".join(["text,label,split", *rows]))


EMPTY = "column label is empty"
ONE_CLASS = "^line 7: read .* as a class: expected one class for each text"


def json_with(label: str) -> str:
    """Return a file whose last line has this label."""
    return lines(records(ROWS)) + f'\n{{"text": "so", "label": {label}}}'


WRONG_TABLES = {
    "NaN in JSON": (json_with("NaN"), f"^line 7: read 'so | ', {EMPTY}"),
    "nothing in JSON": (json_with("null"), f"^line 7: read 'so | ', {EMPTY}"),
    "no label in doccano": (json_with("[]"), f"^line 7: read 'so | ', {EMPTY}"),
    "nan in CSV": (csv_of([*ROWS, ("so", "nan")]), f"^line 8: .* {EMPTY}"),
    "NULL in CSV": (csv_of([*ROWS, ("so", "NULL")]), f"^line 8: .* {EMPTY}"),
    "several labels in doccano": (json_with('["pos", "film"]'), f"{ONE_CLASS}, keep one"),
    "spans in doccano": (json_with('[[0, 2, "PER"]]'), ONE_CLASS),
    "commas without quotes": (
        "\n".join(f"Film{n} is long{', really' * (n % 4 == 3)},{'ab'[n % 2]}" for n in range(12)),
        "^likely: a text has ',' in it, .* put such texts in quotes\nline 4: read 3 columns",
    ),
    "single quotes": (
        "\n".join(f"{'ab'[n % 2]};'Film {n} was long; we left.'" for n in range(12)),
        "^line 1: .* begins with ' and is cut before its end: expected such texts in straight",
    ),
    "curly quotes": (
        "\n".join(f"{'ab'[n % 2]},“It’s film {n}, we left”" for n in range(12)),
        "^line 1: .* begins with “ and is cut before its end",
    ),
    "two labels of fastText": (
        "\n".join(f"__label__{'ab'[n % 2]} __label__c Film {n} was long" for n in range(12)),
        "^line 1: read .*, a text with __label__ in it: expected one class for each text",
    ),
    "only Excel's line": ("sep=x\n" * 2_000, "^likely: nothing separates"),
    "nothing between": ("a warm film\na dull film\n" * 4, "^likely: nothing separates the class"),
}


@pytest.mark.parametrize("name", WRONG_TABLES)
def test_a_wrong_table_is_told_with_its_line_and_the_likely_cause(name):
    text, said = WRONG_TABLES[name]
    with pytest.raises(ValueError, match=said):
        own_classes(text)


# -- tagged words -------------------------------------------------------------------------------

NAMES = (
    ("Lena", "Ott", "Bern"),
    ("Paul", "Kim", "Oslo"),
    ("Rosa", "Diaz", "Lima"),
    ("Jo", "Po", "Rio"),
)
SPANS = {("PER", 0, 2), ("LOC", 3, 4)}


def tagged(line: str, between: str = "\n", **tags: str) -> str:
    """Return four sentences "Lena Ott in Bern", their lines filled in."""
    kinds = {"b": "B-PER", "i": "I-PER", "o": "O", "l": "B-LOC"} | tags
    blocks = []
    for first, last, place in NAMES:
        pairs = ((first, "b"), (last, "i"), ("in", "o"), (place, "l"))
        rows = [line.format(w=word, t=kinds[kind], n=n) for n, (word, kind) in enumerate(pairs, 1)]
        blocks.append("\n".join(rows) + "\n")
    return between.join(blocks)


def kaggle(line: str, header: str) -> str:
    rows = tagged(line, between="").splitlines()
    numbered = [row.replace("#", str(i // 4 + 1)) for i, row in enumerate(rows)]
    first = [row if i % 4 == 0 else "," + row.partition(",")[2] for i, row in enumerate(numbered)]
    return "\n".join([header, *(first if "Sentence:" in line else numbered)])


COLUMN_FILES = {
    "plain": tagged("{w} {t}"),
    "each line begins with a tab": tagged("\t{w} NNP {t}"),
    "tabs at both ends": tagged("\t{w}\t{t}\t"),
    "a small o": tagged("{w} NNP {t}", o="o"),
    "a zero": tagged("{w}\t{t}", o="0"),
    "BMES": tagged("{w} {t}", i="E-PER", l="S-LOC"),
    "commas": tagged("{w},{t}"),
    "semicolons": tagged("{w};{t}"),
    "commas, and quotes": tagged('"{w}","{t}"'),
    "Kaggle": kaggle("Sentence: #,{w},NNP,{t}", "Sentence #,Word,POS,Tag"),
    "a number on each line": kaggle("#,{w},{t}", "sentence_id,words,labels"),
    "names of columns, tabs": "Word\tPOS\tTag\n" + tagged("{w}\tNNP\t{t}"),
    "gold and predicted": tagged("{w} NNP {t} O").replace("B-PER O", "B-PER B-PER"),
    "chunks before": tagged("{w} NNP B-NP {t}"),
    "two levels": tagged("{n}\t{w}\t{t}\tO"),
}


@pytest.mark.parametrize("name", COLUMN_FILES)
def test_columns_are_read_as_they_were_meant(name):
    file = read_conll(COLUMN_FILES[name])
    assert [one.words for one in file.sentences] == [(a, b, "in", c) for a, b, c in NAMES]
    for one in file.sentences:
        assert {(span.type, span.start, span.end) for span in one.spans} == SPANS


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("{w}\t{t}", {"b": "B", "i": "I", "l": "B"}),
        ("{w} NNP {t}", {"b": "B", "i": "I", "l": "B"}),
        ("{w} {t}", {"b": "B", "i": "L", "l": "U"}),
        ("{w} {t}", {"b": "B", "i": "E", "l": "S"}),
    ],
)
def test_tags_without_a_type_are_of_one_type(line, tags):
    file = read_conll(tagged(line, **tags))
    assert file.types == ("_",)
    for one in file.sentences:
        assert {(span.start, span.end) for span in one.spans} == {(0, 2), (3, 4)}


def test_a_first_word_that_is_a_hash_is_a_word_where_it_has_all_columns():
    text = "# # B-NP O\n5 CD I-NP O\nLena NNP B-NP B-PER\n\n# a remark\nOtt NNP B-NP B-PER\n"
    assert [one.words for one in read_conll(text).sentences] == [("#", "5", "Lena"), ("Ott",)]
    assert read_conll("# id = O\n" + text).sentences[0].words[0] == "#"


def test_gold_and_predicted_tags_are_a_doubt_and_chunks_are_none():
    gold = layout_of_columns(COLUMN_FILES["gold and predicted"])
    assert (gold.roles["tag"], gold.doubts) == (3, {"tag": (3, 4)})
    said = layout_of_columns(with_roles(COLUMN_FILES["gold and predicted"], {"tag": 4}))
    assert (said.roles["tag"], said.doubts) == (4, {})
    assert layout_of_columns(COLUMN_FILES["chunks before"]).doubts == {}


def test_what_is_no_word_is_told_with_its_lines():
    text = "-DOCSTART- -X- O\n\nWord POS Tag\n" + tagged("{w} NNP {t}", o="o") + "# the end\n"
    data = read_own_entities(text)
    assert [(one.reason, one.numbers) for one in data.odd_lines] == [
        ("mark", (1,)),
        ("names", (3,)),
        ("outside", (6, 11, 16, 21)),
        ("comment", (23,)),
    ]
    assert (data.n_lines, data.n_read) == (23, 4)


ALL_TAGS = ["O", "B-PER", "I-PER", "B-LOC"]
NUMBERED = [
    {"id": n, "tokens": [a, b, "in", c], "tags": [1, 2, 0, 3]} for n, (a, b, c) in enumerate(NAMES)
]
IN_WORDS = [one | {"tags": [ALL_TAGS[n] for n in one["tags"]]} for one in NUMBERED]
IN_JSON = {
    "lines": lines(IN_WORDS),
    "a list": json.dumps(IN_WORDS, indent=1),
    "by columns": json.dumps({k: [one[k] for one in IN_WORDS] for k in ("tokens", "tags")}),
    "names round the records": json.dumps({"names": ALL_TAGS, "data": NUMBERED}),
    "names before them": lines([{"id2label": dict(enumerate(ALL_TAGS))}, *NUMBERED]),
    "names as datasets writes them": json.dumps(
        {"features": {"tags": {"feature": {"names": ALL_TAGS}}}, "data": NUMBERED}, indent=1
    ),
    "B, I and O alone": lines(one | {"tags": list("BIOB")} for one in NUMBERED),
}


@pytest.mark.parametrize("name", IN_JSON)
def test_tokens_and_tags_are_read_from_json(name):
    file = read_conll(IN_JSON[name])
    assert [one.words for one in file.sentences] == [(a, b, "in", c) for a, b, c in NAMES]
    assert {(span.start, span.end) for span in file.sentences[2].spans} == {(0, 2), (3, 4)}
    assert (file.layout.format, len(file.types)) == ("json", 1 + (name != "B, I and O alone"))
    assert read_own_entities(IN_JSON[name]).n_read == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (lines(NUMBERED), "line 1: read 1 as a tag, a number without a name: expected"),
        (lines([{"names": ["O", "B-PER"]}, *NUMBERED]), "line 2: read 2 as a tag, a number"),
        (lines([{"names": ["DET", "NOUN"]}, *NUMBERED]), "line 2: read 1 as a tag, a number"),
        (lines([*IN_WORDS, IN_WORDS[0] | {"tags": ["O"]}]), "line 5: read 4 tokens and 1 tags"),
        (lines([IN_WORDS[0] | {"tags": ["O", "PER"] * 2}]), "line 1: read 'PER' as the tag"),
        (lines(IN_WORDS) + "\n{", "line 5: read '{': expected one JSON object"),
    ],
)
def test_json_with_wrong_tags_is_told_with_its_line(text, said):
    with pytest.raises(ValueError, match=said):
        read_conll(text)


# -- what all words have in common ----------------------------------------------------------------


@pytest.mark.parametrize("begin", ["de:", "en_", "deu|", "wiki/"])
def test_a_prefix_that_all_words_have_is_taken_off_and_said(begin):
    data = read_own_entities(tagged("{w} {t}".replace("{w}", begin + "{w}")))
    assert data.dataset.train[0].words[2] == "in"
    assert [(one.reason, len(one.numbers)) for one in data.odd_lines] == [("prefix", 16)]
    of_two = tagged("{w} {t}").replace("Ott", "x:y").replace("Kim", "e:f")
    assert read_own_entities(of_two).odd_lines == ()


@pytest.mark.parametrize("names", ["Wort\tEntität", "Token\tNE", "слово\tметка", "mot\tétiquette"])
def test_names_of_columns_that_nobody_foresaw_are_no_word(names):
    data = read_own_entities(names + "\n" + tagged("{w}\t{t}"))
    assert (data.layout.names, data.n_read) == (tuple(names.split("\t")), 4)
    assert [(one.reason, one.numbers) for one in data.odd_lines] == [("names", (1,))]
    with pytest.raises(ValueError, match="line 1: read 'PER' as the tag"):  # a tag, but a wrong one
        read_own_entities("Ada\tPER\n" + tagged("{w}\t{t}"))


@pytest.mark.parametrize("names", ["sentence_id,words,labels", "sent_id,token,ner_tags"])
def test_rows_of_several_sentences_in_turns_are_put_together_by_their_numbers(names):
    whole = kaggle("#,{w},{t}", names)
    first, *rows = whole.splitlines()
    in_turns = "\n".join([first, *(rows[k * 4 + n] for n in range(4) for k in range(4))])
    shuffled = "\n".join([first, *sorted(rows[:8], key=lambda row: row[2:] < "L"), *rows[8:]])
    for text in (in_turns, shuffled.replace("\n1,", "\nb,").replace("\n2,", "\na,")):
        data = read_own_entities(text)
        assert data.n_read == 4
        assert data.odd_lines[0].reason == "gathered"
    assert {one.words for one in read_conll(in_turns).sentences} == {
        (a, b, "in", c) for a, b, c in NAMES
    }
    again = "\n".join([first, *rows, *rows])  # counted from 1 again in another document
    file = read_conll(again)
    assert (len(file.sentences), [one.reason for one in file.odd_lines]) == (8, ["names"])


WRONG_COLUMNS = {
    "the type first": (tagged("{w} {t}", b="PER-B", i="PER-I"), "the type stands before", 1),
    "underscores": (tagged("{w} {t}", b="B_PER", i="I_PER"), "an underscore stands", 1),
    "a Cyrillic O": (tagged("{w} {t}", o="\u041e"), "a letter of another alphabet", 3),
    "no B and no I": (tagged("{w}\t{t}", b="person", i="person", l="location"), "types without", 1),
    "small letters": (
        tagged("{w} {t}", b="b-per", i="i-per", l="b-loc"),
        "small letters before",
        1,
    ),
    "spaCy's minus": (tagged("{w} {t}", o="-"), "a word that fits no mark", 3),
    "brackets": (tagged("{w} {t}", b="(PERSON*", i="*)", o="*", l="(GPE)"), "in brackets", 1),
    "a word is missing": (tagged("{w} {t}").replace("in O", " O"), "the word is missing", 3),
    "no token between tabs": (tagged("{n}\t{w}\t{t}").replace("in", ""), "the word is missing", 3),
    "a space in a word": (tagged("{w} _ {t}").replace("Ott", "Old Ott"), "has a space in it", 2),
}


@pytest.mark.parametrize("name", WRONG_COLUMNS)
def test_wrong_columns_are_told_with_their_line_and_the_likely_cause(name):
    text, cause, number = WRONG_COLUMNS[name]
    with pytest.raises(ValueError, match=f"^likely: .*{cause}.*\nline {number}: read "):
        read_conll(text)
