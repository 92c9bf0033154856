"""Small random checkpoints of several architectures, saved as their authors save them.

The weights are drawn wider than usual, so that attention is uneven and a mistake shows.
"""

from functools import cache
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from tokenizers import trainers as library_trainers

from mlm_core.text.corpora import sentences
from mlm_core.text.tokens import train_tokenizer

ARCHITECTURES = (
    "bert-cased",
    "bert-uncased",
    "distilbert",
    "roberta",
    "xlm-roberta",
    "modernbert",
)
N_LAYERS, N_HEADS, HIDDEN_SIZE, INNER_SIZE, N_TOKENS = 2, 3, 12, 20, 17
VOCABULARY_SIZE = 400
INITIALIZER_RANGE = 0.25
BERTS_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ROBERTAS_TOKENS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]

SIZES = {
    "hidden_size": HIDDEN_SIZE,
    "num_hidden_layers": N_LAYERS,
    "num_attention_heads": N_HEADS,
    "intermediate_size": INNER_SIZE,
    "max_position_embeddings": N_TOKENS,
    "initializer_range": INITIALIZER_RANGE,
}


def small_tokenizer(architecture: str) -> Tokenizer:
    """Return a tokenizer of the kind that the architecture's authors published."""
    lines = sentences()[:200]
    if architecture in ("roberta", "modernbert"):
        special = ROBERTAS_TOKENS if architecture == "roberta" else BERTS_TOKENS
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        trainer = library_trainers.BpeTrainer(
            vocab_size=VOCABULARY_SIZE,
            special_tokens=special,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
    elif architecture == "xlm-roberta":
        special = ROBERTAS_TOKENS
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.normalizer = normalizers.NFKC()
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Metaspace()
        trainer = library_trainers.UnigramTrainer(
            vocab_size=VOCABULARY_SIZE,
            special_tokens=special,
            unk_token="<unk>",
            show_progress=False,
        )
    else:
        special = BERTS_TOKENS
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=architecture == "bert-uncased")
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.decoder = decoders.WordPiece()
        trainer = library_trainers.WordPieceTrainer(
            vocab_size=VOCABULARY_SIZE, special_tokens=special, show_progress=False
        )
    tokenizer.train_from_iterator(lines, trainer)
    ids = {name: tokenizer.token_to_id(name) for name in special}
    if architecture == "roberta":
        tokenizer.post_processor = processors.RobertaProcessing(
            ("</s>", ids["</s>"]), ("<s>", ids["<s>"])
        )
    elif architecture == "xlm-roberta":
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>",
            pair="<s> $A </s> </s> $B </s>",
            special_tokens=[("<s>", ids["<s>"]), ("</s>", ids["</s>"])],
        )
    else:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", ids["[CLS]"]), ("[SEP]", ids["[SEP]"])],
        )
    return tokenizer


def small_config(architecture: str, n_vocabulary: int) -> "transformers.PreTrainedConfig":
    """Return the settings of a small model of that architecture."""
    sizes = SIZES | {"vocab_size": n_vocabulary}
    if architecture.startswith("bert"):
        return transformers.BertConfig(**sizes)
    if architecture == "distilbert":
        return transformers.DistilBertConfig(
            vocab_size=n_vocabulary,
            dim=HIDDEN_SIZE,
            n_layers=N_LAYERS,
            n_heads=N_HEADS,
            hidden_dim=INNER_SIZE,
            max_position_embeddings=N_TOKENS,
            initializer_range=INITIALIZER_RANGE,
        )
    if architecture == "modernbert":
        ids = {f"{role}_token_id": i for i, role in enumerate(("pad", "unk", "cls", "sep", "mask"))}
        return transformers.ModernBertConfig(
            **sizes,
            **ids,
            bos_token_id=2,
            eos_token_id=3,
            local_attention=4,
            global_attn_every_n_layers=2,
        )
    config_class = {
        "roberta": transformers.RobertaConfig,
        "xlm-roberta": transformers.XLMRobertaConfig,
    }[architecture]
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "type_vocab_size": 1}
    # Theirs count positions from the padding id + 1, so two rows more for as many tokens.
    return config_class(**(sizes | {"max_position_embeddings": N_TOKENS + 2}), **ids)


def save_small(architecture: str, folder: Path, seed: int = 11) -> "transformers.PreTrainedModel":
    """Save a random model and its tokenizer to `folder`; return the model, eager, as it was."""
    tokenizer = small_tokenizer(architecture)
    torch.manual_seed(seed)  # transformers draws its weights from torch's own generator
    config = small_config(architecture, tokenizer.get_vocab_size())
    config._attn_implementation = "eager"
    model_class = (
        transformers.BertForPreTraining
        if architecture == "bert-cased"
        else transformers.AutoModelForMaskedLM
    )
    if model_class is transformers.AutoModelForMaskedLM:
        model = model_class.from_config(config, attn_implementation="eager")
    else:
        model = model_class(config)
    model.eval().requires_grad_(False)
    with torch.no_grad():  # a fresh model's biases are all zero, which would hide a lost one
        for parameter in model.parameters():
            if parameter.ndim == 1:
                parameter.add_(torch.randn_like(parameter) * 0.2)
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return model


# Architectures, and what their projection of a layer's joined heads is called.
HEAD_PROJECTIONS = {
    **dict.fromkeys(
        "big_bird convbert deberta-v2 esm ibert longformer luke megatron-bert mobilebert roberta"
        " roberta-prelayernorm".split(),
        "attention.output.dense",
    ),
    **dict.fromkeys(("esmc", "eurobert", "nomic_bert"), "self_attn.o_proj"),
    "albert": "attention.dense",
    "distilbert": "attention.out_lin",
    "fnet": "",  # it has no heads
    "modernbert": "attn.Wo",
    "mpnet": "attention.attn.o",
    "neomme": "o_proj",
    **dict.fromkeys(("nystromformer", "yoso"), "attention.output.dense"),
    "squeezebert": "post_attention.conv1d",
    "xlm": ".out_lin",
}
# What an architecture needs beyond small sizes.
OF_KIND: dict[str, dict[str, Any]] = {
    "eurobert": {"head_dim": 8},
    "funnel": {"d_model": 16, "n_head": 2, "d_head": 8, "d_inner": 20, "block_sizes": [1, 1]},
    "longformer": {"attention_window": 4, "max_position_embeddings": 66},
    "luke": {"entity_vocab_size": 9, "entity_emb_size": 6},
    "mobilebert": {"embedding_size": 8, "intra_bottleneck_size": 16},
    "neomme": {"num_key_value_heads": 1},
    "nystromformer": {"num_attention_heads": 4},  # a convolution over values reads four axes
    "yoso": {"num_attention_heads": 4},
    "perceiver": {"d_model": 16, "d_latents": 16, "num_latents": 4, "num_self_attends_per_block": 2}
    | {"num_self_attention_heads": 2, "num_cross_attention_heads": 2},
    "squeezebert": {"embedding_size": 16}
    | dict.fromkeys(("q_groups", "k_groups", "v_groups", "post_attention_groups"), 1)
    | dict.fromkeys(("intermediate_groups", "output_groups"), 1),
}


def save_kind(kind: str, folder: Path, tokenizer: Tokenizer | None = None) -> None:
    """Save a small random model of any of transformers' architectures, of one small vocabulary."""
    tokenizer = tokenizer or _tokenizer_of_kinds()
    torch.manual_seed(5)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    sizes |= {"intermediate_size": 20, "max_position_embeddings": 40, "initializer_range": 0.25}
    if kind == "fnet":
        del sizes["num_attention_heads"]
    if kind in ("funnel", "perceiver"):
        sizes = {"max_position_embeddings": 40} if kind == "perceiver" else {}
    sizes |= {"vocab_size": tokenizer.get_vocab_size(), "pad_token_id": 0}
    config = transformers.AutoConfig.for_model(kind, **(sizes | OF_KIND.get(kind, {})))
    model = transformers.AutoModelForMaskedLM.from_config(config)
    with torch.no_grad():  # a fresh NeoMME's heads add nothing
        for parameter in model.parameters():
            if parameter.ndim > 1 and not parameter.any():
                parameter.normal_(std=0.25)
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))


@cache
def _tokenizer_of_kinds() -> Tokenizer:
    return train_tokenizer("WordPiece", [*sentences()[:60], *("he and she",) * 40], 190)
