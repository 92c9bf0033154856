"""Where a lesson shows what an exercise asks: the part with the answer's figure or arithmetic."""

from pages.shared.link.controls import OPENING

# Exercise: part of the same lesson, or its opening.
VIEWS = {
    "subword_tokens": {
        "longest_match": "algorithms",
        "first_merge": "algorithms",
        "find_word": "pieces",
        "which_table": "input_stack",
        "vocabulary_price": "vocabulary",
    },
    "attention_mask": {
        "softmax_weight": "worked",
        "draw_mask": "flow",
        "n_scores": "cost",
        "which_mask": "three_masks",
        "same_vectors": OPENING,
    },
    "masking": {
        "count_chosen": "how_many",
        "which_branch": OPENING,
        "none_chosen": "how_many",
        "positions_that_count": OPENING,
        "odd_generator": "how_many",
    },
    "prediction_and_loss": {
        "mean_loss": "positions",
        "one_step": "step",
        "perplexity": "numbers",
        "top_five": OPENING,
        "two_blanks": "blanks",
    },
    "sentence_pairs": {
        "second_segment": "own",
        "which_label": "batch",
        "total_loss": "own",
        "two_continuations": "own",
        "padding_share": "packing",
    },
    "train_an_encoder": {
        "how_many_parameters": "parameters",
        "nearest_token": "inside",
        "nsp_ablation": "experiments",
        "rate_of_step": OPENING,
        "hidden_shape": "parameters",
    },
    "word_senses": {
        "cosine_by_hand": "disambiguate",
        "nearest_sense": "disambiguate",
        "place_in_sense": "disambiguate",
        "fool_it": "disambiguate",
        "map_neighbours": OPENING,
    },
    "isotropy": {
        "random_cosine": OPENING,
        "common_vector": OPENING,
        "dimension_share": "dimensions",
        "largest_dimension": "dimensions",
        "z_score": "formula",
    },
    "classification": {
        "head_by_hand": "own_sentence",
        "trained_numbers": "train",
        "two_measures": "own_sentence",
        "one_word_apart": "own_sentence",
        "more_than_chance": "compare",
    },
    "bio_tagging": {
        "write_tags": OPENING,
        "piece_labels": "pieces",
        "two_paths": "viterbi",
        "entity_f1": "scores",
        "two_readings": "scores",
    },
    "inside_a_prediction": {
        "needed_head": "break_it",
        "settled_layer": OPENING,
        "they_disagree": "which_words",
    },
    "encoders_today": {
        "reciprocal_ranks": OPENING,
        "batch_loss": OPENING,
        "draw_reach": "reach",
    },
}
