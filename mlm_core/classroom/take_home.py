"""A trained encoder to take home: a zip that transformers reads, and a script that proves it.

    my-encoder/config.json, model.safetensors, tokenizer.json, ...   the model
    my-encoder/shown.json                                           a filling, as the page gave it
    my-encoder/fill.py                                              asks transformers for the same

The script is in data/take_home/ as it goes into the zip; it needs torch and transformers, and
nothing of this project. A model that was trained to say the next word gets another one, because
the fill-mask pipeline would read both sides, which that model never learnt to do.

Read before this: ../small_runs/snapshot.py, ../encoder/checkpoints.py.
"""

import io
import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from mlm_core.encoder.checkpoints import save_bert
from mlm_core.encoder.pretrained import OwnModel
from mlm_core.prediction.fillers import FillStep
from mlm_core.small_runs.settings import Objective

FOLDER = "my-encoder"
SCRIPTS = Path(__file__).parents[1] / "data" / "take_home"


def pack(model: OwnModel, shown: FillStep, objective: Objective, about: str) -> bytes:
    """Return the zip with a filling of blank_guesses(), and `about` as its README."""
    script = "../pretraining/next_word.py" if objective == "next_word" else "fill.py"
    filling = {
        "sentence": shown.before.text,
        "guesses": [
            {"token": model.tokenizer.id_to_token(guess.id), "probability": guess.probability}
            for guess in shown.guesses
        ],
    }
    packed = io.BytesIO()
    with TemporaryDirectory() as name, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        folder = Path(name)
        # float32, so that the numbers are those of the page to the last digits.
        save_bert(model.bert, model.tokenizer, folder)
        (folder / "shown.json").write_text(json.dumps(filling, indent=1), encoding="utf-8")
        (folder / "README.md").write_text(about, encoding="utf-8")
        for path in sorted(folder.iterdir()):
            file.write(path, f"{FOLDER}/{path.name}")
        file.write(SCRIPTS / script, f"{FOLDER}/{script}")
    return packed.getvalue()
