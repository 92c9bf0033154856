"""Text to sentences and documents: worked by hand, in several scripts, and in linear time."""

import pytest

from mlm_core.text.sentences import sentence_spans, split_documents, split_sentences


@pytest.mark.parametrize(
    ("paragraph", "sentences"),
    [
        ("It rained. We left.", ["It rained.", "We left."]),
        ('"Why?" he asked. "No!" Then he went.', ['"Why?" he asked.', '"No!"', "Then he went."]),
        ("Dr. Lee met J. K. Row in No. 7.", ["Dr. Lee met J. K. Row in No. 7."]),
        ("It cost 3.5 dollars. 40 people paid.", ["It cost 3.5 dollars.", "40 people paid."]),
        ("Apples, pears, etc. Then nuts.", ["Apples, pears, etc.", "Then nuts."]),
        ("It was I. He knew", ["It was I.", "He knew"]),
        ("It ended in 1900). Yes … no", ["It ended in 1900).", "Yes … no"]),
        ("“Vraiment?” était dit. Été vint.", ["“Vraiment?” était dit.", "Été vint."]),
        ("He cried! élan and ärger. Ärger too.", ["He cried! élan and ärger.", "Ärger too."]),
        ("שלום. עולם", ["שלום.", "עולם"]),  # letters without a small form begin sentences
        ("雨！！晴。", ["雨！！", "晴。"]),
        ("  It rained.\n We left. ", ["It rained.", "We left."]),
        # A stop that belongs to its word, and one that doesn't.
        ("It costs 3.5. He paid.", ["It costs 3.5.", "He paid."]),
        ("Ask Ann and co. at noon.", ["Ask Ann and co. at noon."]),
        ("Ask Ann and co. They know.", ["Ask Ann and co.", "They know."]),
        ("He sued Hill & Co. It closed.", ["He sued Hill & Co.", "It closed."]),
        ("Climb Mt. Kenya and St. Paul's.", ["Climb Mt. Kenya and St. Paul's."]),
        ("The U.S. Army of the U.S. It left.", ["The U.S. Army of the U.S.", "It left."]),
        ("At 6 a.m. we ate at 7 p.m. We ate.", ["At 6 a.m. we ate at 7 p.m.", "We ate."]),
        ("J. R. R. Ray met R.-P. Lee.", ["J. R. R. Ray met R.-P. Lee."]),
        ("You and I. Did Ann I. Lee come?", ["You and I.", "Did Ann I. Lee come?"]),
        ("See p. 5, Fig. 2, N°. 3.4.5. Then go.", ["See p. 5, Fig. 2, N°. 3.4.5.", "Then go."]),
        ("He said no. Nobody left.", ["He said no.", "Nobody left."]),
        ("Open https://a.org/b.html. Then read.", ["Open https://a.org/b.html.", "Then read."]),
        ("Ask ann.lee@mail.org. I did.", ["Ask ann.lee@mail.org.", "I did."]),
        ("1. One. 2.) Two. (3) Three.", ["1. One.", "2.) Two.", "(3) Three."]),
        ("How old? 12. And you?", ["How old?", "12.", "And you?"]),
        # German, French, Spanish, Russian, Georgian.
        ("Am 12. Juni. Im 19. Jahrhundert.", ["Am 12. Juni.", "Im 19. Jahrhundert."]),
        ("Der 2. Versuch. Es waren 12. Alle da.", ["Der 2. Versuch.", "Es waren 12.", "Alle da."]),
        ("I am 12. Ann is 13.", ["I am 12.", "Ann is 13."]),
        (
            "Obst, z. B. Äpfel, u.a. Birnen usw. Mehr.",
            ["Obst, z. B. Äpfel, u.a. Birnen usw.", "Mehr."],
        ),
        ("Dr. Müller lebte 8 v. Chr. in Rom.", ["Dr. Müller lebte 8 v. Chr. in Rom."]),
        ("Die Fa. Nord liefert heute. Gut so.", ["Die Fa. Nord liefert heute.", "Gut so."]),
        ("Fam. Vogt und Gebr. Löns kamen.", ["Fam. Vogt und Gebr. Löns kamen."]),
        ("Die ev. Kirche, einschl. Turm. Schön.", ["Die ev. Kirche, einschl. Turm.", "Schön."]),
        ("Um 9 Std. Fahrt ab Abt. Nord. So.", ["Um 9 Std. Fahrt ab Abt. Nord.", "So."]),
        ("Das war Max. Am Port. Alt.", ["Das war Max.", "Am Port.", "Alt."]),
        ("„Nein.“ Er ging. ‚Ja‘!", ["„Nein.“", "Er ging.", "‚Ja‘!"]),
        ("« Non ! » Il partit. — Oui.", ["« Non ! »", "Il partit.", "— Oui."]),
        ("Hola. ¿Qué? ¡Sí!", ["Hola.", "¿Qué?", "¡Sí!"]),
        ("Это я, т. е. он. А. С. Я. Он.", ["Это я, т. е. он.", "А. С. Я. Он."]),
        ("ეს არის. ის არის.", ["ეს არის.", "ის არის."]),
        # Quotes, brackets, prices, omissions.
        ("He said, 'Go.' she said.", ["He said, 'Go.' she said."]),
        ("(He left.) [She too.] “So.”", ["(He left.)", "[She too.]", "“So.”"]),
        (
            "It is old.[1] He sold it. $5 was paid.",
            ["It is old.[1]", "He sold it.", "$5 was paid."],
        ),
        ("“He [...] went [...]” (Lee 5).", ["“He [...] went [...]” (Lee 5)."]),
        ("I was . . . I mean . . . . So?", ["I was . . . I mean . . . .", "So?"]),
        ("Yahoo! is old.... He left.", ["Yahoo! is old....", "He left."]),
        # Without spaces.
        ("वह आया। वह गया।कब?", ["वह आया।", "वह गया।", "कब?"]),
        ("他说：“好。”她走了!好吗?好", ["他说：“好。”", "她走了!", "好吗?", "好"]),
        ("「はい。」と言った。次！", ["「はい。」と言った。", "次！"]),
        ("كيف؟ بخير. یہ ہے۔", ["كيف؟", "بخير.", "یہ ہے۔"]),
        ("", []),
        ("...", ["..."]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(paragraph, sentences):
    assert split_sentences(paragraph) == sentences


def test_no_letter_is_lost_between_sentences():
    paragraph = 'He said: "Mr. X. is here." (She laughed.) "Go!" Üben hilft. 5 men came… They ate.'
    assert " ".join(split_sentences(paragraph)) == paragraph


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ("", ()),
        ("  \n\n \t\n", ()),
        ("One. Two!\nThree", (("One.", "Two!", "Three"),)),
        ("One.\r\n\r\nTwo?", (("One.",), ("Two?",))),
        ('"Why?" he asked. Nobody knew.', (('"Why?" he asked.', "Nobody knew."),)),
        ("我爱你。你好！", (("我爱你。", "你好！"),)),
        ("3.5 miles", (("3.5 miles",),)),
        ("Mr. Smith came. He sat", (("Mr. Smith came.", "He sat"),)),
    ],
)
def test_pasted_text_becomes_documents_of_sentences(text, documents):
    assert split_documents(text) == documents


def test_spans_are_the_sentences_places():
    text = " He left (at 3.5). “No!” "
    assert [text[start:stop] for start, stop in sentence_spans(text)] == split_sentences(text)
    assert split_sentences(text) == ["He left (at 3.5).", "“No!”"]


def test_a_run_of_marks_is_one_stop_and_is_read_once():
    assert split_sentences("What?! Never... Yes.") == ["What?!", "Never...", "Yes."]
    assert split_sentences("(He went...) Out…”  So!") == ["(He went...)", "Out…”", "So!"]
    assert split_sentences("." * 200_000) == ["." * 200_000]  # quadratic, it took ten minutes
