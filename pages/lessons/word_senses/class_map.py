"""The class's map: everyone's sentence with one word, a point that all the others judge."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace

from mlm_core.embeddings.growing_map import FEWEST, FEWEST_FOR_INTERVAL, OwnSenses
from mlm_core.embeddings.locating import find_word, regular_forms
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.embeddings.sense_map import Frame, sense_groups
from mlm_core.figures.embeddings.sense_map_uses import uses_html
from mlm_core.number_format import formatted
from pages.kit.part import Part, Table, part
from pages.lessons.word_senses import computed
from pages.lessons.word_senses.board import Board, choose_point, show_board
from pages.lessons.word_senses.setting import current, with_layer
from pages.lessons.word_senses.uses import Layout

# The sentences are in the room that the learner is in, and no other part asks for them.
from pages.server.room import class_map

MOST_STRAYS = 8  # sentences nearest to another sense that are listed
# State: what the last sentence lacked; how many this visit sent to each map.
REFUSED, SENT = "class_refused", "class_n_sent"


@dataclass(frozen=True, kw_only=True)
class Points:
    """The sentences of a map, in the order in which they came onto it."""

    senses: tuple[str, ...]  # their names
    sentences: tuple[MarkedSentence, ...]
    numbers: tuple[int, ...]  # of each sentence's sense
    own: Collection[int] = ()  # which are the learner's

    def only(self, kept: Collection[int]) -> "Points":
        """Return the map of some of the sentences."""
        return replace(
            self,
            sentences=tuple(self.sentences[i] for i in kept),
            numbers=tuple(self.numbers[i] for i in kept),
            own=[new for new, old in enumerate(kept) if old in self.own],
        )


@part(code=("embeddings.growing_map:growing_layout", "embeddings.growing_map:own_senses"))
def show(p: Part) -> None:
    """Draw the map of the sentences that the teacher accepted; alone, of stored ones."""
    if not p.is_presented:
        p.say("lead")
    in_room = class_map.is_in_room()
    try:
        found = class_map.follow() if in_room else None
    except class_map.StoreGoneError:
        return  # the banner says so
    if found is None:
        p.note("not_begun" if in_room else "alone", icon="groups")
        _draw(p, _example(p))
        return
    if found.visit:
        _ask(p, found)
    _draw(p, _of_class(found))
    if found.accepted:
        rows = [{name: one.said[name] for name in ("sense", "sentence")} for one in found.accepted]
        p.download("class_csv", Table(rows).csv, "class-map.csv", "text/csv", "take_home")


def _ask(p: Part, found: class_map.ClassMap) -> None:
    """Let the learner send a sentence with the word, and say what became of those before."""
    own = [one for one in found.sent if one.visit == found.visit]
    if found.takes and len(own) < class_map.MOST_EACH:
        with p.form("class_form", "class_send", _send, p, found, label="send"):
            word = found.asked.word
            p.typed("class_text", "sentence", longest=class_map.LONGEST, about={"word": word})
            p.one_of("class_sense", found.asked.senses, "sense")
            if refused := p.state.pop(REFUSED, ""):
                p.warn(refused, icon="edit", word=word)
    if own:
        n_waiting = sum(one.state == "waiting" for one in own)
        said = "waiting" if n_waiting else "sent"
        p.caption(said, n=len(own), most=class_map.MOST_EACH, waiting=n_waiting)
    n_sent = p.state.get(SENT, {}).get((found.visit, found.asked), 0)
    if n_sent > len(own):
        p.caption("dropped", n=n_sent - len(own))
    if not found.takes:
        p.note("closed", icon="lock")


def _send(p: Part, found: class_map.ClassMap) -> None:
    """Send a sentence that has the word and a sense; the part says what is missing."""
    asked = found.asked
    sentence = str(p.state.get("class_text") or "")
    sense = p.state.get("class_sense")
    if not find_word(sentence, asked.word, _forms(asked)).spans:
        p.state[REFUSED] = "missing"
    elif sense not in asked.senses:
        p.state[REFUSED] = "no_sense"
    elif class_map.send(sentence, sense):
        p.state["class_text"] = ""
        p.state["class_sense"] = None
        p.state.setdefault(SENT, Counter())[found.visit, asked] += 1


def _forms(asked: class_map.Asked) -> tuple[str, ...]:
    return (*asked.forms, *regular_forms(asked.word))


def _of_class(found: class_map.ClassMap) -> Points:
    """Return the accepted sentences that have the word."""
    asked, marked = found.asked, []
    for one in found.accepted:
        uses = find_word(one.said["sentence"], asked.word, _forms(asked))
        if uses.spans:  # one of an earlier map may come late
            marked.append((uses.marked(), asked.senses.index(one.said["sense"]), one.visit))
    return Points(
        senses=asked.senses,
        sentences=tuple(sentence for sentence, _, _ in marked),
        numbers=tuple(number for _, number, _ in marked),
        own=[i for i, (_, _, visit) in enumerate(marked) if visit == found.visit],
    )


def _example(p: Part) -> Points:
    """Return the first stored uses of the lesson's word, each sense's in turn."""
    word = current(p).word
    seen, turns = [0] * len(word.senses), []
    for number, sense in enumerate(word.sense_numbers):
        turns.append((seen[sense], number))
        seen[sense] += 1
    stored = Points(
        senses=tuple(sense.name for sense in word.senses),
        sentences=word.sentences,
        numbers=word.sense_numbers,
    )
    return stored.only([number for _, number in sorted(turns)][: p.slider("class_n")])


def _draw(p: Part, sent: Points) -> None:
    """Draw the map, and beside it how many sentences lie nearest to their own sense."""
    kept, refusals = computed.readable(p.model_name, sent.sentences)
    if refusals:
        reason = p.translated(next(iter(refusals.values())))
        p.warn("unreadable", icon="block", n=len(refusals), reason=reason)
        sent = sent.only(kept)
    n = len(sent.sentences)
    if n < FEWEST:
        p.note("too_few", icon="hourglass_top", n=n, fewest=FEWEST)
        return
    controls = p.row()
    with controls:
        now = with_layer(p)
    grown = computed.growing_map(
        p.model_name, sent.sentences, sent.numbers, len(sent.senses), now.layer, now.pooling
    )
    board = Board(
        names="class_",
        uses=computed.sent_uses(p.model_name, sent.sentences, now.pooling),
        layer=now.layer,
        layout=Layout(places=grown.layout, frame=Frame.around(grown.layout.tolist()), kind="pca"),
        groups=sense_groups(sent.senses),
        group_of=sent.numbers,
        note_of=_notes(p, sent, grown.own),
        own=sent.own,
    )
    left, right = p.columns(3, 2)
    show_board(p, board, controls, left=left, right=right)
    with left:
        _say_result(p, board, grown.own)
    p.caption("made", kept=grown.kept)


def _notes(p: Part, sent: Points, own: OwnSenses) -> list[str]:
    """Return for each point what the model takes it for, by all the others."""
    notes = []
    of_each = zip(sent.numbers, own.choice.senses.tolist(), own.is_judged.tolist(), strict=True)
    for true, chosen, is_judged in of_each:
        if not is_judged:
            notes.append(p.plain("not_judged"))
        elif chosen == true:
            notes.append(p.plain("taken_right"))
        else:
            notes.append(p.plain("taken_wrong", true=sent.senses[true], chosen=sent.senses[chosen]))
    return notes


def _say_result(p: Part, board: Board, own: OwnSenses) -> None:
    """Say how many sentences lie nearest to their own sense; list those that do not."""
    if not own.n_judged:
        p.note("nothing_judged", icon="hourglass_top")
        return
    p.say("result", own=own.n_own, n=own.n_judged, frequent=own.n_most_frequent)
    if own.interval is None:
        p.caption("no_interval", fewest=FEWEST_FOR_INTERVAL)
    else:
        low, high = own.interval
        p.caption("interval", low=low, high=high)
    strays = (own.is_judged & ~own.is_own).nonzero()[:, 0].tolist()
    if strays:
        title = p.plain("strays", n=len(strays))
        near, senses = own.choice.cosines, own.senses
        gaps = (near.gather(1, senses[:, None])[:, 0] - near.max(dim=1).values).tolist()
        listed = [board.listed(i, number=formatted(gaps[i], ".2f")) for i in strays[:MOST_STRAYS]]
        p.drawing(
            "class_strays",
            uses_html([(title, listed)]),
            lambda value: choose_point(p, board, value),
        )
