"""Errors in the sources that a class may have in hand, each with what is right and where."""

from dataclasses import dataclass

from mlm_core.number_format import formatted
from pages.kit.part import Part, part
from pages.kit.rows import OPENING

PRINTED = (0.2447, 0.5106, 0.2447)  # the BERT manual, section 8
WINDOWS, LENGTH = 8_192, 512  # RoBERTa's batch in windows, tokens in a window


@dataclass(frozen=True, kw_only=True)
class Erratum:
    """One error. Its title and text are `title_<name>` and `<name>` of errata.md."""

    name: str
    lesson: str
    part: str  # where the lesson shows what is right


ERRATA = (
    Erratum(name="softmax", lesson="attention_mask", part="worked"),
    Erratum(name="visible_word", lesson="attention_mask", part="worked"),
    Erratum(name="causal", lesson="attention_mask", part="compare"),
    Erratum(name="special_tokens", lesson="masking", part="rule"),
    Erratum(name="batches", lesson="sentence_pairs", part="packing"),
    Erratum(name="bert_size", lesson="train_an_encoder", part="parameters"),
    Erratum(name="xlmr_size", lesson="train_an_encoder", part="parameters"),
    Erratum(name="variance", lesson="isotropy", part="formula"),
    Erratum(name="outside", lesson="bio_tagging", part=OPENING),
    Erratum(name="entity", lesson="bio_tagging", part="scores"),
)


@part(words=("errata",))
def show(p: Part) -> None:
    """Show one fold-out for each error, with the view that shows what is right."""
    values = _values()
    p.say("lead")
    for one in ERRATA:
        with p.fold(f"title_{one.name}"):
            p.say(one.name, **values)
            p.link_to(one.lesson, one.part, p.title_of(one.lesson))


def _values() -> dict[str, str]:
    """Return the right numbers, computed."""
    import torch

    from mlm_core.encoder.attention import attend
    from mlm_core.encoder.cost import count_parameters, published_models

    one_hot = torch.eye(len(PRINTED), dtype=torch.float64)
    without, scaled = (
        attend(one_hot, one_hot, one_hot, divide_by_root=divide).weights[1].tolist()
        for divide in (False, True)
    )
    bert = sum(term.count for term in count_parameters(published_models()[0].config))
    return {
        "printed": _vector(PRINTED),
        "without": _vector(without),
        "scaled": _vector(scaled),
        "bert": formatted(bert / 1e6, ".0f"),
        "large": formatted(WINDOWS * LENGTH, ","),
    }


def _vector(numbers: tuple[float, ...] | list[float]) -> str:
    return f"[{'; '.join(formatted(number, '.4f') for number in numbers)}]"
