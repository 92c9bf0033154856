"""Good settings for the data and the trained layers, as numbers that are read before torch.

Chosen on the dev parts (../../tools/choose_finetunes.py): with fewer trained layers, higher rates
and more epochs work better. Four trained layers of mini-bert do better on every task if the last
four of its twelve are left out. Its last eight do better still on sentiment, but take twice the
time and memory of a server that thirty learners share. mini-bert-de-en, of the same sizes, has the
same settings; on its tasks nothing was chosen.

Read next: settings.py.
"""

from typing import Literal, get_args

Trained = Literal["head", "top", "all"]
TRAINED: tuple[Trained, ...] = get_args(Trained)
Start = Literal["pretrained", "random"]
STARTS: tuple[Start, ...] = get_args(Start)

USUAL_LAYERS = 4  # trained layers of "top"
READ = 8  # layers of a bundled model, if as few as usual are trained
RATES: dict[Trained, float] = {"head": 2e-2, "top": 5e-4, "all": 2e-4}
# Examples: of passages, which are five times as long as sentences, then of sentences. The more
# layers are trained, the more activations an example keeps, and a batch shares the memory with
# other runs.
BATCH_SIZES: dict[Trained, tuple[int, int]] = {"head": (8, 16), "top": (4, 16), "all": (2, 4)}
EPOCHS: dict[Trained, int] = {"head": 10, "top": 5, "all": 4}
# Of a random start: on so few sentences, eight layers did worse on dev than two or four.
RANDOM_LAYERS, RANDOM_RATE, RANDOM_EPOCHS = 4, 2e-4, 10
