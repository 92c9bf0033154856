"""The whole way of one token: from subwords to probabilities, as one picture that plays."""

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.prediction.fillers import rank_of
from mlm_core.text.tokens import TokenizedText
from pages.kit.part import Part, part
from pages.kit.remember import head_of
from pages.lessons.attention_mask import computed
from pages.lessons.attention_mask.whole_picture import FollowedToken, draw_way

# The lesson and part that each heading opens; logits and probabilities of a typed [MASK] in BLANKS.
OPENS = {
    "subwords": ("subword_tokens", "pieces"),
    "embedding": ("subword_tokens", "input_stack"),
    "attention": ("attention_mask", "flow"),
    "feed_forward": ("train_an_encoder", "block"),
    "logits": ("prediction_and_loss", "numbers"),
    "probabilities": ("prediction_and_loss", "surprise"),
}
BLANKS = ("prediction_and_loss", "blanks")


@part(code=("prediction.whole_way:whole_way", "encoder.block_steps:run_block"))
def show(p: Part) -> None:
    """Draw the way of a token that the learner chooses, computed on their sentence."""
    p.say("lead")
    if p.model_name != BUNDLED and head_of(p.model_name) == "untrained":
        p.warn("untrained_head")
    figure = p.place()
    with p.fold("details", "tune"):
        text = p.tokens(p.text("text"))
        found = _may_be_followed(text)
        if found:
            among = sorted(found)
            position = p.position("followed", text.texts, default=found[0], among=among)
    if not found:
        p.note("nothing_to_follow", icon="edit")
        return
    position = position if position in found else found[0]
    seen, way = computed.way_of_token(p.model_name, text.text, position)
    followed = FollowedToken(text=text, seen=seen, way=way, may_be_followed=found)
    with figure:
        _draw(p, followed)
        p.say("how", model=p.model_name)
    _say_what_came_of_it(p, followed)
    p.say("notice" if way.summands else "notice_other", model=p.model_name)


def _may_be_followed(text: TokenizedText) -> list[int]:
    """Return the blanks, then the text's own tokens, the longest first."""
    own = [i for i, token in enumerate(text.tokens) if not token.is_special]
    blanks = [i for i, token in enumerate(text.tokens) if token.text in ("[MASK]", "<mask>")]
    return blanks + sorted(own, key=lambda i: -len(text.texts[i]))


def _draw(p: Part, followed: FollowedToken) -> None:
    """Draw the picture; a token is followed by a click, a heading opens its lesson."""

    def clicked(value: str) -> None:
        if value.isdecimal():
            p.choose("followed", value)
        else:
            _open(p, followed, value.removeprefix("to-"))

    places = {station: _place(followed, station) for station in OPENS}
    titles = {
        station: p.plain("opens", title=p.title_of(*place)) for station, place in places.items()
    }
    draw_way(p, followed, titles, clicked)


def _say_what_came_of_it(p: Part, followed: FollowedToken) -> None:
    """Say how likely the text's own token is."""
    if followed.is_typed_blank:
        return
    id_ = followed.text.ids[followed.way.position]
    p.say(
        "came_of_it",
        token=followed.token,
        probability=followed.way.probabilities[id_].item(),
        rank=rank_of(followed.way.logits, id_),
    )


# The lessons that open.


def _place(followed: FollowedToken, station: str) -> tuple[str, str]:
    is_answer = station in ("logits", "probabilities")
    return BLANKS if is_answer and followed.is_typed_blank else OPENS[station]


def _open(p: Part, followed: FollowedToken, station: str) -> None:
    """Lead to the lesson of a station, with the learner's sentence and token."""
    slug, name = _place(followed, station)
    text, position = followed.text.text, str(followed.way.position)
    if slug == p.slug:
        p.choose("query", position)
        p.choose("kind", "bidirectional")
        p.choose("part", name, on_whole_page=True)
        return
    given = {
        "pieces": {"text": text, "position": position},
        "input_stack": {"text": text, "stack_position": position},
        "numbers": {"text": text, "marks": f"{position}m"},
        "surprise": {"text": text, "marks": f"{position}m"},
        "blanks": {"blanks": text},
    }
    p.open(slug, name, **given.get(name, {}))
