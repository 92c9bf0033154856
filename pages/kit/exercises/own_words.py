"""What a learner writes in their own words: open questions, what to explain, the evidence card.

A model answer opens after some words of the learner's own.
"""

from mlm_core.text.words import words_of
from pages.kit.part import Part, Text
from pages.server.course.words import read_words
from pages.server.record import evidence_card, session_record
from pages.server.record.learners_record import LONGEST_OF_CARD, EvidenceCard

FEWEST_OWN_WORDS = 20  # before a model answer


def show_question(p: Part, number: int, question: str, answer: str) -> None:
    """Show an open question, with a field and a model answer."""
    p = p.with_words("evidence_card")
    with p.fold(Text(question), "help"):
        name, longest = f"open_answer_{number}", LONGEST_OF_CARD["expected"]
        own = p.pasted(name, "own_answer", longest=longest, height=110)
        _open_after(p, own, question, answer)


def n_own_words(text: str, question: str) -> int:
    """Return how many words a text has, at most twice as many as differ and aren't in the question.

    >>> n_own_words("It is one, and it is both.", "Is it one?"), n_own_words("so so so so", "")
    (4, 2)
    """
    words = words_of(text)
    return min(len(words), 2 * len({*words} - {*words_of(question)}))


def _open_after(p: Part, own: str, question: str, answer: str) -> None:
    """Write a model answer once there are enough own words; who presents a page needs none."""
    n = n_own_words(own, question)
    if n >= FEWEST_OWN_WORDS or p.is_presented:
        p.write(answer)
    else:
        p.caption("own_words_first", fewest=FEWEST_OWN_WORDS, n=n)


def show_explain(p: Part) -> None:
    """Show the lesson's question to explain, if it has one, with a field and a model answer."""
    overview = f"overview/{p.slug}"
    if not read_words(overview).has("explain", is_section=True):
        return
    p = p.with_words("evidence_card", overview)
    p.say("explain")
    own = p.pasted(
        "explained",
        "explanation",
        longest=LONGEST_OF_CARD["expected"],
        height=110,
        on_change=evidence_card.keep_explained,
        args=(p.slug,),
    )
    with p.fold("model_answer", "help"):
        _open_after(p, own, p.section("explain"), p.section("explain_answer"))


def show_card(p: Part) -> None:
    """Show the lesson's evidence card: what the opening shows, and fields for the learner."""
    p, lesson = p.with_words("evidence_card"), p.page.lesson
    with p.fold("title", "assignment"):
        p.say("lead")
        card = evidence_card.of_screen(lesson, p.model_name)
        if card.result:
            p.write(evidence_card.as_markdown(card, read_words("evidence_card"), on_page=True))
        else:
            p.note("no_opening", icon="visibility_off")
        for name in evidence_card.NOTES:
            p.pasted(
                f"card_{name}",
                name,
                longest=LONGEST_OF_CARD[name],
                height=80,
                on_change=evidence_card.keep,
                args=(lesson, p.model_name),
            )
        with p.row("center"):
            keeps = (evidence_card.keep, lesson, p.model_name)
            is_off = not card.result
            p.button("card_keep", *keeps, icon="bookmark_add", label="keep", disabled=is_off)
            _offer_all(p)
        _say_what_is_kept(p, card)


def _say_what_is_kept(p: Part, shown: EvidenceCard) -> None:
    """Say since when the lesson's card is kept, and whether the opening shows another thing now."""
    kept = evidence_card.kept_card(p.slug)
    if kept is None:
        p.caption("not_kept")
        return
    p.write_small(p.label("kept_at", kept=kept.kept))
    is_same = all(getattr(kept, name) == getattr(shown, name) for name in evidence_card.FILLED_IN)
    if shown.result and not is_same:
        p.caption("changed")


def _offer_all(p: Part) -> None:
    """Offer the cards of all lessons as one page, if there are any."""
    record = session_record.of_session()
    n = sum(done.card is not None for done in record.lessons.values())
    if n:
        page = evidence_card.all_as_markdown(record, read_words("evidence_card"))
        data = page.encode("utf-8", errors="replace")
        p.download("card_save", data, "evidence-cards.md", "text/markdown", "save_all", n=n)
