"""What a layer knows: probes of each layer's state, next to probes for random labels."""

from mlm_core.encoder.model_list import READERS
from mlm_core.evaluation.bootstrap import paired_lead
from mlm_core.evaluation.seeds import Z_95, interval_of_proportion, standard_error
from mlm_core.figures.charts import layers_chart
from mlm_core.inside.known_by_layer import N_EXAMPLES, KnownByLayer, ProbeTask, ReadAt
from pages.kit.part import Part, Text, part
from pages.lessons.inside_a_prediction import computed
from pages.lessons.inside_a_prediction.setting import blank_sentence

ASKED = "knows_asked"  # state: the model and language to probe
HEIGHT = 320  # pixels of the larger chart
# Of random labels: all words, those that were learned from, and the others.
CONTROL_OF = ("control", "seen", "unseen")


@part(
    code=(
        "inside.known_by_layer:known_by_layer",
        "inside.known_by_layer:random_labels",
        "probing.linear_probe:fit_logistic_regression",
    )
)
def show(p: Part) -> None:
    """Draw the probes' accuracy by layer, and what they say of the learner's blank."""
    language = p.language
    p.say("lead", language=p.plain(f"knows_in_{language}"))
    left, right = p.columns()
    with left:
        task = p.choice("knows_task")
    with right:
        read_at = p.choice("knows_read_at")
    found = _found(p, task, read_at, language)
    if found is None:
        return
    is_stored = p.model_name == READERS[language]
    _accuracies(p, found, is_stored=is_stored)
    if language == "de" and is_stored:
        _say_of_german(p, task, read_at)
    if read_at == "blank":
        _own_blank(p, found)
    p.say("limits")


def _found(p: Part, task: ProbeTask, read_at: ReadAt, language: str) -> KnownByLayer | None:
    """Return the probes: stored for the model that reads this, of others when asked for."""
    if p.model_name == READERS[language]:
        return computed.stored_probes(task, read_at, language)
    asked = (p.model_name, language)
    if p.state.get(ASKED) != asked:
        p.note("not_stored", n=N_EXAMPLES[language], language=p.plain(f"knows_in_{language}"))
        p.button("knows_measure", p.state.update, {ASKED: asked}, icon="play_arrow")
        return None
    with p.reported("knows_measuring") as told:
        return computed.probes(p.model_name, task, read_at, language, told)


def _say_of_german(p: Part, task: ProbeTask, read_at: ReadAt) -> None:
    """Say what gives a class away in German before any attention, as the stored probes found."""
    if read_at == "blank":
        p.say("position")
    elif task == "part_of_speech":
        p.say("capitals")


def _accuracies(p: Part, found: KnownByLayer, *, is_stored: bool) -> None:
    n_tested, guess = found.right.shape[1], 1 / len(found.classes)
    lines = {"real": found.accuracies, "control": found.control_accuracies}
    margins = {
        name: [Z_95 * standard_error(one, n_tested) for one in line] for name, line in lines.items()
    }
    layers = range(len(found.right))
    chart = layers_chart(
        {p.plain(name): line for name, line in lines.items()}
        | {p.plain("guess"): [guess] * len(layers)},
        errors={p.plain(name): margin for name, margin in margins.items()},
        undotted=p.plain("guess"),
        x_title=p.plain("layer"),
        y_title=p.plain("accuracy"),
        height=HEIGHT,
    )
    first, last = lines["real"][0], lines["real"][-1]
    rows = zip(*lines.values(), *margins.values(), strict=True)
    p.figure(
        "knows",
        chart,
        [
            {
                "layer": layer,
                "accuracy": real,
                "margin": margin,
                "random_labels": control,
                Text(f"{p.plain('control')} ±"): control_margin,
            }
            for layer, (real, control, margin, control_margin) in enumerate(rows)
        ],
        source="knows_stored" if is_stored else "knows_source",
        task=p.plain(f"knows_task_{found.task}"),
        read_at=p.plain(f"knows_read_at_{found.read_at}"),
        first=first,
        last=last,
        control=lines["control"][-1],
        n=n_tested,
    )
    numbers = {"first": first, "last": last, "layers": layers[-1], "guess": guess}
    (_say_of_words if found.read_at == "word" else _say_of_blank)(p, found, numbers)


def _say_of_blank(p: Part, found: KnownByLayer, numbers: dict[str, float]) -> None:
    """Say what the layers add to the position, and whether random labels are more than a guess."""
    lead = paired_lead(found.right[-1].tolist(), found.right[0].tolist())
    p.say(
        "said_blank" if lead.direction > 0 else "said_blank_flat",
        difference=lead.value,
        low=lead.low,
        high=lead.high,
        **numbers,
    )
    control, seen = found.control_right[-1], found.seen
    told: dict[str, float] = {}
    for name, right in zip(CONTROL_OF, (control, control[seen], control[~seen]), strict=True):
        low, high = interval_of_proportion(int(right.sum()), len(right))
        told |= {name: right.double().mean().item(), f"{name}_low": low, f"{name}_high": high}
    p.say("control_blank", **told | numbers)
    above = [name for name in CONTROL_OF[:2] if told[f"{name}_low"] > numbers["guess"]]
    p.say(f"above_{above[0]}" if above else "near", excess=told["control"] - numbers["guess"])


def _say_of_words(p: Part, found: KnownByLayer, numbers: dict[str, float]) -> None:
    """Say whether the words alone show their class: by those that weren't learned from."""
    unseen = found.accuracy_of(0, seen=False)
    # 95 %, as if no word came twice
    margin = Z_95 * standard_error(unseen, int((~found.seen).sum()))
    p.say(
        "said_word" if unseen - margin > numbers["guess"] else "said_word_flat",
        seen=found.seen.double().mean().item(),
        unseen=unseen,
        control_seen=found.accuracy_of(0, seen=True, of_control=True),
        control_unseen=found.accuracy_of(0, seen=False, of_control=True),
        **numbers,
    )


def _own_blank(p: Part, found: KnownByLayer) -> None:
    """Draw what the probes read from each layer's state at the blank of the sentence."""
    p.say("own")
    sentence = blank_sentence(p, "sentence", needs_head=False)
    if sentence is None:
        return
    text, blank = sentence
    classes = [p.plain(name) for name in found.classes]
    states = computed.states_at(p.model_name, text.text, blank)
    probabilities = found.probabilities(states)
    by_class = dict(zip(classes, probabilities.T.tolist(), strict=True))
    best = probabilities.argmax(dim=1).tolist()
    said = {"best": classes[best[-1]], "top": by_class[classes[best[-1]]][-1]}
    since = max((i + 1 for i, one in enumerate(best) if one != best[-1]), default=0)
    p.figure(
        "own_blank",
        layers_chart(
            by_class,
            x_title=p.plain("layer"),
            y_title=p.plain("probability"),
            height=HEIGHT - 50,
        ),
        [
            {"layer": layer} | {Text(name): line[layer] for name, line in by_class.items()}
            for layer in range(len(best))
        ],
        **said,
    )
    p.say("own_said", since=since, **said)
