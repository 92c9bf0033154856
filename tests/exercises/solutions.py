"""Each exercise solved by another route than the one that checks it: from the question's values.

A solution is a function of a task that gives the right answers to try; for texts of the
learner's own there are several, since the bundled model may change.
"""

import math
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, pairwise, product
from random import Random

import numpy as np

from mlm_core.exercises.exercise import Task
from mlm_core.text import corpora
from tests.exercises.learners import SENTENCE, bundled_model

Solution = Callable[[Task], Iterator[str]]
TOKENS = ["[CLS]", "The", "old", "man", "crossed", "the", "river", "at", "night", ".", "[SEP]"]


def number(value: object) -> float:
    return float(str(value).replace(",", ""))


def n_pieces(text: str) -> int:
    return len(bundled_model().tokenizer.encode(text, add_special_tokens=False).ids)


def longest_match(task: Task) -> Iterator[str]:
    """Among all cuts: the one with the longest first piece, then the longest second, ..."""
    word = task.values["word"]
    vocabulary = set(re.split(r",\s+", task.values["vocabulary"]))
    cuts = []
    for n in range(len(word)):
        for stops in combinations(range(1, len(word)), n):
            parts = [word[i:j] for i, j in pairwise((0, *stops, len(word)))]
            marked = [parts[0], *("##" + part for part in parts[1:])]
            if vocabulary.issuperset(marked):
                cuts.append(marked)
    assert len(cuts) >= 2, "the exercise needs a choice"
    yield " ".join(max(cuts, key=lambda cut: [len(piece.strip("#")) for piece in cut]))


def first_merge(task: Task) -> Iterator[str]:
    pairs: Counter[str] = Counter()
    for word, count in re.findall(r"(\w+) (\d+)", task.values["counts"]):
        for i in range(len(word) - 1):
            end = "</w>" if i == len(word) - 2 else ""
            pairs[word[i : i + 2] + end] += int(count)
    (best, n), (_, n_next) = pairs.most_common(2)
    assert n > n_next
    yield best.removesuffix("</w>")
    yield f"{best[0]}  {best[1]}"


def find_word(task: Task) -> Iterator[str]:
    """Words of our own sentences."""
    letter, goal, longest = (task.values[name] for name in ("letter", "goal", "longest"))
    for word in dict.fromkeys(re.findall(r"\w+", " ".join(corpora.sentences()).casefold())):
        if word.startswith(letter) and len(word) <= longest and n_pieces(word) == goal:
            yield word


def which_table(task: Task) -> Iterator[str]:
    yield {
        "same_text": "position",
        "other_text": "position_segment",
        "other_word": "token",
        "start": "none",
    }[task.variant]


def vocabulary_price(task: Task) -> Iterator[str]:
    small, large, width = (number(task.values[name]) for name in ("small", "large", "width"))
    yield str(large * width / 1e6 - small * width / 1e6)


def softmax_weight(task: Task) -> Iterator[str]:
    first, second, size = (task.values[name] for name in ("first", "second", "size"))
    yield f"{1 / (1 + math.exp((second - first) / math.sqrt(size))):.2f}"


def draw_mask(task: Task) -> Iterator[str]:
    k = task.values["k"]
    allowed = {
        "neighbours": lambda i, j: j in (i - 1, i, i + 1),
        "not_itself": lambda i, j: j != i,
        "prefix": lambda i, j: j < k or j <= i,
        "padding": lambda i, j: j < k,
        "two_texts": lambda i, j: (i < k and j < k) or (i >= k and j >= k),
    }[task.variant]
    rows = ("".join("1" if allowed(i, j) else "0" for j in range(6)) + "00" for i in range(6))
    yield "-".join(f"{int(row, 2):02x}" for row in rows)


def n_scores(task: Task) -> Iterator[str]:
    n, heads, layers = (task.values[name] for name in ("n", "heads", "layers"))
    yield str(sum(n for _ in range(n)) * heads * layers)


def which_mask(task: Task) -> Iterator[str]:
    padding, causal = ("batch", "shorter"), ("ahead", "cache")
    yield "padding" if task.variant in padding else "causal" if task.variant in causal else "token"


def same_vectors(task: Task) -> Iterator[str]:
    word = task.values["word"]
    for first, second in (
        ("of the river was steep and green.", "raised its interest rates again."),
        ("is 3, 4, 5!", "she had never seen before, he thought, was beautiful."),
        ("in Paris", "? No, said he; I did not."),
    ):
        yield f"The {word} {first}\nThe {word} {second}"


def count_chosen(task: Task) -> Iterator[str]:
    yield f"{0.15 * (task.values['own'] + task.values['n_more']):.0f}"


def which_branch(task: Task) -> Iterator[str]:
    first, second = task.values["first"], round(100 * task.values["second"])
    stretches = [(n, task.values[n]) for n in ("mask", "random", "keep")]
    line = [name for name, percent in stretches for _ in range(percent)]
    yield line[second] if first < 0.15 else "untouched"


def none_chosen(task: Task) -> Iterator[str]:
    yield f"{100 * math.exp(task.values['n'] * math.log(0.85)):.1f}"


def positions_that_count(task: Task) -> Iterator[str]:
    yield str(task.values["masked"] + task.values["random"] + task.values["kept"])


def odd_generator(task: Task) -> Iterator[str]:
    def misfit(name: str) -> float:
        mask, random, kept = map(int, task.values[f"counts_{name}"].split(" / "))
        assert mask + random + kept == 1000
        return (mask - 800) ** 2 / 800 + (random - 100) ** 2 / 100 + (kept - 100) ** 2 / 100

    worst = max("abc", key=misfit)
    # 5.99 and 13.82: what chance exceeds in 5 % and 0.1 % of cases, from any table of chi-square.
    assert misfit(worst) > 13.82 and all(misfit(n) < 5.992 for n in "abc" if n != worst)
    yield worst


def mean_loss(task: Task) -> Iterator[str]:
    product = math.prod(task.values[name] for name in ("first", "second", "third"))
    yield f"{math.log(product ** (-1 / 3)):.3f}"


def one_step(task: Task) -> Iterator[str]:
    yield f"{task.values['rate'] - task.values['rate'] * task.values['chance']:.4f}"


def perplexity(task: Task) -> Iterator[str]:
    if task.variant == "knows_nothing":
        yield f"{math.log2(number(task.values['size'])) * math.log(2):.1f}"
    else:
        yield f"{math.e ** task.values['given_loss']:.2f}"


def top_five(task: Task) -> Iterator[str]:
    word = task.values["word"]
    yield from {
        "water": ("He drank a glass of [MASK].", "The fish swim in the [MASK]."),
        "book": ("He wrote a [MASK] about his life.", "The author published his [MASK] in 1920."),
        "door": ("She opened the [MASK] and went in.", "Somebody knocked at the [MASK]."),
        "city": ("London is the largest [MASK] in England.", "It is the capital [MASK] of Peru."),
        "children": ("They had three [MASK], two sons and a daughter.", "They have two [MASK]."),
        "years": ("He lived there for ten [MASK].", "She died two [MASK] later."),
        "film": ("The [MASK] was directed by John Ford.", "She starred in the 1950 [MASK]."),
        "team": ("The [MASK] won the match.", "He played for the national football [MASK]."),
    }[word]
    for sentence in corpora.sentences():
        if re.search(rf"\b{word}\b", sentence) and sentence.lower().count(word) == 1:
            yield re.sub(rf"\b{word}\b", "[MASK]", sentence)


def two_blanks(task: Task) -> Iterator[str]:
    first, second = task.values["first"] / 100, task.values["second"] / 100
    yield f"{100 - 100 * first**2 - 100 * second**2:.1f} %"


def second_segment(task: Task) -> Iterator[str]:
    ids = bundled_model().tokenizer.encode(SENTENCE, task.values["second"]).type_ids
    yield str(ids.count(1))


def which_label(task: Task) -> Iterator[str]:
    first, second = task.values["first"], task.values["second"]
    here = next(document for document in corpora.documents() if first in document)
    if second not in here:
        yield "not_next"
    else:
        yield "is_next" if here.index(second) == here.index(first) + 1 else "no_pair"


def total_loss(task: Task) -> Iterator[str]:
    p = task.values["p_next"] if task.variant == "true_pair" else 1 - task.values["p_next"]
    yield f"{task.values['masked'] + math.log(1 / p):.2f}"


def two_continuations(task: Task) -> Iterator[str]:
    """The same sentence about a thing in A and about another topic."""
    for word in re.findall(r"[a-z]{5,}", task.values["first"]):
        for strange in ("chemistry", "football", "finance", "president"):
            yield f"They liked the {word} very much.\nThey liked the {strange} very much."


def padding_share(task: Task) -> Iterator[str]:
    window = task.values["window"]
    lengths = [int(n) for n in task.values["lengths"].split(", ")]
    empty = sum(window - 2 - n for n in lengths)
    yield f"{100 * empty / (window * len(lengths)):.1f} %"


def how_many_parameters(task: Task) -> Iterator[str]:
    """From the shapes of a real encoder, its heads left out."""
    import torch

    from mlm_core.encoder.bert import Bert, BertConfig

    v, d, n, window = (
        int(number(task.values[k])) for k in ("vocabulary", "width", "layers", "window")
    )
    config = BertConfig(
        vocabulary_size=v,
        hidden_size=d,
        n_layers=n,
        n_heads=2,
        intermediate_size=4 * d,
        n_positions=window,
    )
    with torch.device("meta"):
        bert = Bert(config)
    yield str(sum(p.numel() for name, p in bert.named_parameters() if "head" not in name))


def nearest_token(task: Task) -> Iterator[str]:
    table, ids = stored_table()
    word = table[ids[task.values["word"]]]

    def cosine(letter: str) -> float:
        other = table[ids[task.values[f"word_{letter}"]]]
        return float(word @ other / np.linalg.norm(word) / np.linalg.norm(other))

    yield max("abcd", key=cosine)


@cache
def stored_table() -> tuple[np.ndarray, dict[str, int]]:
    from mlm_core.small_runs.snapshot import model_at
    from mlm_core.stored.runs import read_stored

    model = model_at(read_stored("default"))
    return model.token_embedding.double().numpy(), model.tokenizer.get_vocab()


def nsp_ablation(task: Task) -> Iterator[str]:
    n = number(task.values["n_judged"])
    shares = [task.values[name] / n for name in ("right_with", "right_without")]
    error = math.sqrt(sum(p * (1 - p) / n for p in shares))
    z = (shares[0] - shares[1]) / error
    yield "with_nsp" if z > 2 else "without_nsp" if z < -2 else "no_difference"


def rate_of_step(task: Task) -> Iterator[str]:
    """As the height of a broken line at the step."""
    n, warm, step = (number(task.values[name]) for name in ("n", "n_warm", "step"))
    peak = task.values["peak"]
    yield str(np.interp(step, [0, warm, warm + 1, n + 1], [0, peak, peak, 0]))


def hidden_shape(task: Task) -> Iterator[str]:
    """From a real encoder of that width."""
    import torch

    from mlm_core.encoder.bert import Bert, BertConfig

    batch, length, width = (task.values[name] for name in ("batch", "length", "after"))
    config = BertConfig(
        vocabulary_size=7,
        hidden_size=width,
        n_layers=1,
        n_heads=1,
        intermediate_size=8,
        n_positions=length,
    )
    ids = torch.zeros(batch, length, dtype=torch.long)
    yield str(Bert(config).encode(ids, ids).last.numel())


def numbers_in(text: str) -> list[int]:
    return [int(each) for each in re.findall(r"-?\d+", text)]


def cosine_by_hand(task: Task) -> Iterator[str]:
    first, second = (np.array(numbers_in(task.values[name])) for name in ("first", "second"))
    yield f"{first @ second / np.linalg.norm(first) / np.linalg.norm(second):.2f}"


def nearest_sense(task: Task) -> Iterator[str]:
    """By the angles, which two dimensions have."""
    point = np.array(numbers_in(task.values["point"]))
    means = {
        name: np.array(numbers_in(task.values[f"examples_{name}"])).reshape(2, 2).mean(axis=0)
        for name in "abc"
    }
    angles = {
        name: abs(math.atan2(*mean) - math.atan2(*point.astype(float)))
        for name, mean in means.items()
    }
    nearest = min(angles, key=angles.__getitem__)
    assert nearest != min(means, key=lambda name: float(np.linalg.norm(means[name] - point)))
    yield nearest


def place_in_sense(task: Task) -> Iterator[str]:
    """New sentences with words that the lesson's sentences of that sense have."""
    word = task.values["word"]
    for one, other in pairwise(words_near(word, task.values["sense"])[:40]):
        yield f"They looked for the {word} because of the {one} {other}."


# What the search below found for each word: it comes first, since each try is two passes.
FOOLED = {
    "bank": ("In the {} she saw a {}.", "about", "water"),
    "bat": ("So the {} {}.", "wings", "your"),
    "crane": ("He took the {} and the {}.", "with", "will"),
    "mouse": ("They were {} with the {}.", "behind", "with"),
    "plant": ("He took the {} and the {}.", "that", "will"),
    "spring": ("In the {} she saw a {}.", "daffodils", "back"),
}


def fool_it(task: Task) -> Iterator[str]:
    word = task.values["word"]
    frame, *changed = FOOLED[word]
    yield "\n".join(frame.format(one, word) for one in changed)
    names = [part.partition(" (")[0] for part in task.values["senses"].split("; ")]
    frames = ("In the {} she saw a {}.", "He took the {} and the {}.", "They were {} with the {}.")
    for frame in (*frames, "So the {} {}.", "The {} hit the {} hard."):
        for one, other in product(*(words_near(word, name)[:8] for name in names[:2])):
            yield f"{frame.format(one, word)}\n{frame.format(other, word)}"


@cache
def words_near(word: str, sense_name: str) -> list[str]:
    """Return the longer words of the lesson's sentences of a sense, the most frequent first."""
    from mlm_core.embeddings.senses_data import stored_word

    sense = next(each for each in stored_word(word).senses if each.name == sense_name)
    found = Counter(
        each
        for sentence in sense.sentences
        for each in re.findall(r"[a-z]{4,}", sentence.text.lower())
        if not each.startswith(word)
    )
    return [each for each, _ in found.most_common()]


def map_neighbours(task: Task) -> Iterator[str]:
    from mlm_core.stored.maps import read_maps

    assert task.variant == "umap", "the stored maps are out of date"
    k = task.values["k"]
    vectors = word_states(task.values["word"])[-1]
    layout = read_maps(task.values["word"]).at(task.values["layer"]).double().numpy()
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    far = np.linalg.norm(layout[:, None] - layout[None], axis=2)
    shared = 0
    for i in range(len(unit)):
        others = [j for j in range(len(unit)) if j != i]
        true = sorted(others, key=lambda j, i=i: -float(unit[i] @ unit[j]))[:k]
        shared += len({*sorted(others, key=lambda j, i=i: float(far[i, j]))[:k]} & {*true})
    yield f"{100 * shared / k / len(unit):.0f} %"


@cache
def word_states(name: str) -> np.ndarray:
    from mlm_core.embeddings.contextual import all_layers_word_vectors
    from mlm_core.embeddings.senses_data import stored_word

    sentences = stored_word(name).sentences
    return all_layers_word_vectors(bundled_model(), sentences).states.double().numpy()


@cache
def random_words() -> tuple[np.ndarray, np.ndarray]:
    """Return all layers' vectors of length 1 of random words, and their sentences."""
    from mlm_core.embeddings.contextual import all_layers_word_vectors
    from mlm_core.embeddings.isotropy import sample_words

    rng = Random(0)
    sample = sample_words(rng.sample(corpora.sentences(), 80), 320, rng)
    states = all_layers_word_vectors(bundled_model(), sample.words).states.double().numpy()
    unit = states / np.linalg.norm(states, axis=2, keepdims=True)
    return unit, np.array(sample.sentence_numbers)


def random_cosine(task: Task) -> Iterator[str]:
    """As the mean over all pairs, one by one."""
    unit, sentences = random_words()
    vectors = unit[task.values["layer"]]
    elsewhere = sentences[:, None] != sentences[None]
    yield f"{(vectors @ vectors.T)[elsewhere].mean():.3f}"


def largest_dimension(task: Task) -> Iterator[str]:
    """As the largest of the means of the products over all pairs, one dimension at a time."""
    unit, sentences = random_words()
    vectors = unit[task.values["layer"]]
    elsewhere = sentences[:, None] != sentences[None]
    parts = [np.outer(column, column)[elsewhere].mean() for column in vectors.T]
    yield f"{100 * max(parts) / sum(parts):.1f} %"


def common_vector(task: Task) -> Iterator[str]:
    """By trying it out, with 60 vectors in 4,000 dimensions."""
    chance = np.random.default_rng(1)
    vectors = chance.standard_normal((61, 4_000))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = task.values["own"] * vectors[1:] + task.values["common"] * vectors[0]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    # A cosine of two random directions deviates by 1/sqrt(4000) = 0.016; the mean of 1,770 pairs,
    # each with a share of the common direction, by less than a fifth of that.
    yield f"{(vectors @ vectors.T)[~np.eye(60, dtype=bool)].mean():.3f}"


def dimension_share(task: Task) -> Iterator[str]:
    first, second = (numbers_in(task.values[name]) for name in ("first", "second"))
    terms = [x * y for x, y in zip(first, second, strict=True)]
    yield f"{100 / (1 + sum(terms[1:]) / terms[0]):.1f} %"


def z_score(task: Task) -> Iterator[str]:
    numbers = numbers_in(task.values["numbers"])
    yield f"{(task.values['x'] - statistics.mean(numbers)) / statistics.pstdev(numbers):.2f}"


def head_by_hand(task: Task) -> Iterator[str]:
    """As one over the sum of e to the differences."""
    values = task.values
    h = numbers_in(values["h"])
    names = ("negative", "neutral", "positive")
    scores = {
        name: sum(x * values[f"w_{i}_{j}"] for i, x in enumerate(h, 1))
        for j, name in enumerate(names, 1)
    }
    own = scores[values["wanted"]]
    yield f"{1 / sum(math.exp(score - own) for score in scores.values()):.3f}"


def trained_numbers(task: Task) -> Iterator[str]:
    """From torch's own layers of these sizes."""
    from torch import nn

    d, n_classes, n_top = (task.values[name] for name in ("d", "n_classes", "n_top"))
    parts = [nn.Linear(d, n_classes, device="meta")]
    if task.variant == "cls":
        parts.append(nn.Linear(d, d, device="meta"))
    if task.variant == "top":
        layer = nn.TransformerEncoderLayer(d, nhead=1, dim_feedforward=4 * d, device="meta")
        parts += [layer] * n_top
    yield str(sum(p.numel() for part in parts for p in part.parameters()))


def two_measures(task: Task) -> Iterator[str]:
    def measures(name: str) -> tuple[float, float]:
        cells = [
            [task.values[f"{row}_{column}_{name}"] for column in order]
            for row, order in (("rare", ("hits", "missed")), ("common", ("missed", "hits")))
        ]
        table = np.array(cells, dtype=float)
        precision, recall = (np.diag(table) / table.sum(axis=axis) for axis in (0, 1))
        return np.trace(table) / table.sum(), np.mean(2 * precision * recall / (precision + recall))

    a, b = measures("a"), measures("b")
    yield "_".join("a" if one > other else "b" for one, other in zip(a, b, strict=True))


def one_word_apart(task: Task) -> Iterator[str]:
    words = {
        "positive": ("lovely", "wonderful", "delightful", "perfect", "superb"),
        "negative": ("awful", "terrible", "boring", "broken", "dreadful"),
        "neutral": ("blue", "open", "empty", "closed", "scheduled", "located"),
    }
    frames = (
        "The {} film was shown.",
        "The room was {}.",
        "The train is {}.",
        "It was a {} meal.",
        "The {} shop opens at nine on Monday.",
        "{} music.",
    )
    for frame in frames:
        for one, other in product(words[task.values["first"]], words[task.values["second"]]):
            yield f"{frame.format(one)}\n{frame.format(other)}"


def more_than_chance(task: Task) -> Iterator[str]:
    """As the root of McNemar's statistic, with the sign of the lead."""
    b, c = task.values["only_first"], task.values["only_second"]
    assert task.values["both"] + b == task.values["right_first"]
    assert task.values["both"] + c == task.values["right_second"]
    yield f"{math.copysign(math.sqrt((b - c) ** 2 / (b + c)), b - c):.2f}"


def read_brackets(text: str) -> list[tuple[int, int, str]]:
    """Return the entities of a sentence with brackets, as first word, end and type."""
    found, n_words = [], 0
    for part in re.findall(r"\[\w+ [^\]]+\]|\S+", text):
        words = part.strip("[]").split()
        if part.startswith("["):
            type_, *words = words
            found.append((n_words, n_words + len(words), type_))
        n_words += len(words)
    return found


def write_tags(task: Task) -> Iterator[str]:
    tags = ["O"] * task.values["n"]
    for start, end, type_ in read_brackets(task.values["sentence"]):
        row = ["B", *"I" * (end - start - 1)]
        if task.variant == "bioes":
            row = ["S"] if end - start == 1 else ["B", *"I" * (end - start - 2), "E"]
        tags[start:end] = [f"{letter}-{type_}" for letter in row]
    yield " ".join(tags)
    yield ", ".join(tags).lower()


def piece_labels(task: Task) -> Iterator[str]:
    words, entity = task.values["words"].split(), task.values["entity"].split()
    first = next(i for i in range(len(words)) if words[i : i + 2] == entity)
    labels = ["-100"]
    for i, word in enumerate(words):
        tag = {first: "B-", first + 1: "I-"}.get(i, "O")
        tag = tag if tag == "O" else tag + task.values["type"]
        later = tag if task.variant == "copy_to_all" else "-100"
        labels += [tag, *[later] * (n_pieces(word) - 1)]
    yield " ".join([*labels, "−100"])


def two_paths(task: Task) -> Iterator[str]:
    """From all 27 paths."""
    tags = {"o": "O", "b": "B-PER", "i": "I-PER"}

    def chance(path: tuple[str, ...]) -> float:
        return math.prod(float(task.values[f"{name}_{i}"]) for i, name in enumerate(path, 1))

    paths = list(product("obi", repeat=3))
    legal = [path for path in paths if "oi" not in "o" + "".join(path)]
    best = [" ".join(tags[name] for name in max(some, key=chance)) for some in (paths, legal)]
    yield "\n".join(best)


def entity_f1(task: Task) -> Iterator[str]:
    gold, said = ({*read_brackets(task.values[name])} for name in ("gold", "said"))
    precision, recall = (len(gold & said) / len(some) for some in (said, gold))
    f1 = statistics.harmonic_mean([precision, recall])
    yield f"{100 * {'precision': precision, 'recall': recall, 'f1': f1}[task.variant]:.1f} %"


def two_readings(task: Task) -> Iterator[str]:
    """As seqeval counts."""
    from seqeval.metrics.sequence_labeling import get_entities
    from seqeval.scheme import IOB2, Entities

    tags = task.values["tags"].replace("\u2011", "-").split()
    if task.variant == "strict":
        yield str(len(Entities([tags], scheme=IOB2).entities[0]))
    else:
        yield str(len(get_entities(tags)))


def blank_of(task: Task) -> tuple[list[int], int]:
    """Return the ids of a task's sentence, and the place of its blank."""
    ids = bundled_model().tokenizer.encode(task.values["sentence"]).ids
    return ids, ids.index(bundled_model().tokenizer.token_to_id("[MASK]"))


def log_probabilities(bert, ids: list[int], blank: int):
    """Return log P of each entry at the blank."""
    import torch

    with torch.inference_mode():
        logits = bert.masked_language_logits(bert.encode(torch.tensor([ids])).last[0])
    return logits[blank].log_softmax(dim=-1)


def needed_head(task: Task) -> Iterator[str]:
    """By a copy of the model whose output weights are set to zero and back."""
    from copy import deepcopy

    bert, (ids, blank) = deepcopy(bundled_model().bert), blank_of(task)
    word = int(log_probabilities(bert, ids, blank).argmax())
    found = {}
    for layer in range(int(task.values["first"]), int(task.values["last"]) + 1):
        weight = bert.blocks[layer - 1].attention.output.weight.data
        for head in range(4):
            columns = slice(64 * head, 64 * (head + 1))
            kept = weight[:, columns].clone()
            weight[:, columns] = 0
            found[f"{layer}-{head + 1}"] = log_probabilities(bert, ids, blank)[word].item()
            weight[:, columns] = kept
    yield min(found, key=found.__getitem__)


def settled_layer(task: Task) -> Iterator[str]:
    import torch

    bert, (ids, blank) = bundled_model().bert, blank_of(task)
    with torch.inference_mode():
        states = bert.encode(torch.tensor([ids])).states
        words = [int(bert.masked_language_logits(state[0, blank]).argmax()) for state in states]
    layer = len(words) - 1
    while layer and words[layer - 1] == words[-1]:
        layer -= 1
    yield str(layer)


def they_disagree(task: Task) -> Iterator[str]:
    """All pairs whose order differs, those that differ most first."""
    import torch

    model, (ids, blank) = bundled_model(), blank_of(task)
    mask, layer = ids[blank], int(task.values["layer"])
    whole = log_probabilities(model.bert, ids, blank)
    word = int(whole.argmax())
    with torch.inference_mode():
        weights = model.bert.encode(torch.tensor([ids]), record=True).weights[layer - 1]
    seen = weights[0, :, blank].mean(dim=0).tolist()
    falls = [
        (whole - log_probabilities(model.bert, [*ids[:i], mask, *ids[i + 1 :]], blank))[word].item()
        for i in range(len(ids))
    ]
    places = [i for i in range(1, len(ids) - 1) if i != blank]
    contrast = {
        (i, j): min(seen[i] / seen[j], abs(falls[j]) / max(abs(falls[i]), 1e-9))
        for i in places
        for j in places
        if i != j
    }
    for i, j in sorted(contrast, key=contrast.__getitem__, reverse=True)[:20]:
        yield f"{model.tokenizer.id_to_token(ids[i])}\n{model.tokenizer.id_to_token(ids[j])}"


def reciprocal_ranks(task: Task) -> Iterator[str]:
    """As the mean of one over the places in the sorted rows."""
    places = []
    for query in range(1, 5):
        row = {name: number(task.values[f"cosine_{query}_{name}"]) for name in "ABCDE"}
        in_order = sorted(row, key=row.__getitem__, reverse=True)
        places.append(in_order.index(task.values[f"right_{query}"]) + 1)
    yield f"{statistics.mean(1 / place for place in places):.2f}"


def batch_loss(task: Task) -> Iterator[str]:
    """As torch's cross entropy of the table."""
    import torch

    rows = [[number(task.values[f"cosine_{i}_{j}"]) for j in (1, 2)] for i in (1, 2)]
    scores = torch.tensor(rows).double() / number(task.values["temperature"])
    yield f"{torch.nn.functional.cross_entropy(scores, torch.tensor([0, 1])):.2f}"


def draw_reach(task: Task) -> Iterator[str]:
    n, reach = len(task.tokens), task.values["reach"]
    is_global = task.variant == "global_token"
    rows = (
        "".join(
            "1" if abs(i - j) <= reach or (is_global and 0 in (i, j)) else "0" for j in range(n)
        )
        for i in range(n)
    )
    yield "-".join(f"{int(row, 2):02x}" for row in rows)
