"""A BERT that classifies by the mean of its states: transformers has none, so it is in the zip.

from transformers import pipeline
classify = pipeline("text-classification", model="my-model", trust_remote_code=True)

`trust_remote_code` lets transformers run this file; without it, nothing loads the model.
"""

import torch
from transformers import BertModel, BertPreTrainedModel
from transformers.modeling_outputs import SequenceClassifierOutput


class BertForMeanClassification(BertPreTrainedModel):
    """BertModel, the mean of its states over all tokens, one layer of scores."""

    def __init__(self, config):
        super().__init__(config)
        self.bert = BertModel(config, add_pooling_layer=False)
        self.mean_classifier = torch.nn.Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, **_):
        """Return the logits; padding has no share in the mean, [CLS] and [SEP] have."""
        if attention_mask is None:
            attention_mask = torch.ones_like(input_ids)
        states = self.bert(input_ids, attention_mask, token_type_ids).last_hidden_state
        is_token = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * is_token).sum(dim=1) / is_token.sum(dim=1)
        return SequenceClassifierOutput(logits=self.mean_classifier(mean))
