"""The whole way of one token: from subwords to probabilities, as one picture that plays."""

from functools import partial

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.prediction.fillers import rank_of
from mlm_core.text.tokens import TokenizedText
from pages.kit.caches import cache_predictions
from pages.kit.part import Part, part
from pages.kit.remember import head_of
from pages.kit.whole_way import FollowedToken, draw_way


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
    seen, way = cache_predictions.way_of_token(p.model_name, text.text, position)
    true_id = None if text.tokens[position].is_special else text.ids[position]
    followed = FollowedToken(text=text, seen=seen, way=way, may_be_followed=found, true_id=true_id)
    with figure:
        draw_way(p, followed, partial(p.choose, "followed"))
        p.say("how", model=p.model_name)
    _say_what_came_of_it(p, followed)
    p.say("notice" if way.summands else "notice_other", model=p.model_name)


def _may_be_followed(text: TokenizedText) -> list[int]:
    """Return the blanks, then the text's own tokens, the longest first."""
    own = [i for i, token in enumerate(text.tokens) if not token.is_special]
    blanks = [i for i, token in enumerate(text.tokens) if token.text in ("[MASK]", "<mask>")]
    return blanks + sorted(own, key=lambda i: -len(text.texts[i]))


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
