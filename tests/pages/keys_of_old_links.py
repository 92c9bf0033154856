"""The controls that a link could name before parts went: each is there still, or has a reason."""

# By lesson.
KEYS = {
    "subword_tokens": """
        subword_tokens_text subword_tokens_size subword_tokens_surname
        subword_tokens_curve subword_tokens_tokenizer subword_tokens_position
        subword_tokens_algorithm subword_tokens_word subword_tokens_pair
        subword_tokens_stack_position subword_tokens_question subword_tokens_try_cls
        subword_tokens_try_numbers subword_tokens_try_case subword_tokens_try_scripts
        subword_tokens_try_emoji subword_tokens_try_mask subword_tokens_long
        subword_tokens_short subword_tokens_exercise_which
    """,
    "attention_mask": """
        attention_mask_first attention_mask_second attention_mask_switch
        attention_mask_word attention_mask_text attention_mask_kind attention_mask_layer
        attention_mask_head attention_mask_query attention_mask_drawn
        attention_mask_padding attention_mask_stage attention_mask_key
        attention_mask_number attention_mask_block_hidden attention_mask_block_heads
        attention_mask_block_inner attention_mask_block_texts attention_mask_cloze
        attention_mask_hidden attention_mask_e attention_mask_worked_mask
        attention_mask_worked_scale attention_mask_wq attention_mask_wk attention_mask_wv
        attention_mask_worked_step attention_mask_worked_row attention_mask_worked_column
        attention_mask_row attention_mask_type attention_mask_constant attention_mask_way
        attention_mask_count attention_mask_n attention_mask_exercise_which
        attention_mask_exercise_text
    """,
    "masking": """
        masking_text masking_seed masking_dice masking_step masking_at masking_unit
        masking_selection masking_words masking_rate masking_zones masking_run
        masking_n_draws masking_short_text masking_long_text masking_why_place
        masking_why_word masking_noise masking_noise_text masking_noise_rate
        masking_question masking_two_text masking_round masking_task_random
        masking_task_keep masking_task_count masking_exercise_which masking_exercise_text
        masking_generator_from
    """,
    "prediction_and_loss": """
        prediction_and_loss_text prediction_and_loss_marks prediction_and_loss_cloze
        prediction_and_loss_word prediction_and_loss_place prediction_and_loss_entry
        prediction_and_loss_step_word prediction_and_loss_step_moves
        prediction_and_loss_step_rate prediction_and_loss_own
        prediction_and_loss_temperature prediction_and_loss_count prediction_and_loss_rate
        prediction_and_loss_blanks_kind prediction_and_loss_blanks prediction_and_loss_way
        prediction_and_loss_step prediction_and_loss_pieces_sentence
        prediction_and_loss_pieces_word prediction_and_loss_first
        prediction_and_loss_second prediction_and_loss_pieces prediction_and_loss_question
        prediction_and_loss_question_place prediction_and_loss_question_other
        prediction_and_loss_task prediction_and_loss_sure prediction_and_loss_absurd
        prediction_and_loss_exercise_which
        prediction_and_loss_write_text prediction_and_loss_write_length
        prediction_and_loss_write_steps prediction_and_loss_write_temperature
        prediction_and_loss_write_order prediction_and_loss_write_seed
        prediction_and_loss_write_again
    """,
    "sentence_pairs": """
        sentence_pairs_opening_first sentence_pairs_opening_next
        sentence_pairs_opening_random sentence_pairs_first sentence_pairs_second
        sentence_pairs_segments sentence_pairs_stage sentence_pairs_number
        sentence_pairs_seed sentence_pairs_truth sentence_pairs_class
        sentence_pairs_documents sentence_pairs_size sentence_pairs_row
        sentence_pairs_truncation_first sentence_pairs_truncation_second
        sentence_pairs_window sentence_pairs_step sentence_pairs_pack_size
        sentence_pairs_layout sentence_pairs_sequences sentence_pairs_corpus
        sentence_pairs_passes sentence_pairs_alpha sentence_pairs_counted
        sentence_pairs_algorithm sentence_pairs_vocabulary sentence_pairs_sentence
        sentence_pairs_cls_sentence sentence_pairs_cls_paraphrase
        sentence_pairs_cls_unrelated sentence_pairs_task_follows
        sentence_pairs_task_random sentence_pairs_exercise_which
        sentence_pairs_exercise_text
    """,
    "train_an_encoder": """
        train_an_encoder_sentence train_an_encoder_at train_an_encoder_curves_measure
        train_an_encoder_set_objective train_an_encoder_set_corpus
        train_an_encoder_set_vocabulary train_an_encoder_set_width
        train_an_encoder_set_layers train_an_encoder_set_heads train_an_encoder_set_window
        train_an_encoder_set_choose train_an_encoder_set_zones train_an_encoder_set_steps
        train_an_encoder_set_batch train_an_encoder_set_rate train_an_encoder_set_warmup
        train_an_encoder_set_decay train_an_encoder_set_seed train_an_encoder_compared
        train_an_encoder_compare_measure train_an_encoder_experiment
        train_an_encoder_experiment_curves_measure train_an_encoder_which
        train_an_encoder_inside_step train_an_encoder_inside_text
        train_an_encoder_inside_token train_an_encoder_followed
        train_an_encoder_optimizer_word train_an_encoder_entry train_an_encoder_adamw_step
        train_an_encoder_count train_an_encoder_count_vocabulary
        train_an_encoder_count_hidden train_an_encoder_count_layers
        train_an_encoder_count_window train_an_encoder_tied train_an_encoder_family_fact
        train_an_encoder_take_home_text train_an_encoder_exercise_which
        train_an_encoder_shown
    """,
    "word_senses": """
        word_senses_word word_senses_mix word_senses_join word_senses_method
        word_senses_layer word_senses_star_bank word_senses_colour word_senses_kind
        word_senses_point word_senses_umap_neighbours word_senses_umap_min_dist
        word_senses_umap_seed word_senses_star_washington word_senses_star_spring
        word_senses_star_seal word_senses_star_plant word_senses_star_pitcher
        word_senses_star_mouse word_senses_star_match word_senses_star_light
        word_senses_star_die_de word_senses_star_die word_senses_star_crane
        word_senses_star_court word_senses_star_bow word_senses_star_bat
        word_senses_star_bass word_senses_star_apple word_senses_try_bank
        word_senses_arithmetic word_senses_try_washington word_senses_try_spring
        word_senses_try_seal word_senses_try_plant word_senses_try_pitcher
        word_senses_try_mouse word_senses_try_match word_senses_try_light
        word_senses_try_die_de word_senses_try_place word_senses_try_die
        word_senses_try_crane word_senses_try_court word_senses_try_bow
        word_senses_try_bat word_senses_try_bass word_senses_try_apple
        word_senses_inventory_scope word_senses_inventory_from word_senses_all_words
        word_senses_scope word_senses_k word_senses_own_word word_senses_own_from
        word_senses_own_forms word_senses_own_layer word_senses_own_kind
        word_senses_own_point word_senses_own_umap_neighbours
        word_senses_own_umap_min_dist word_senses_own_umap_seed word_senses_bank_a
        word_senses_bank_b word_senses_washington_a word_senses_washington_b
        word_senses_spring_a word_senses_spring_b word_senses_seal_a word_senses_seal_b
        word_senses_plant_a word_senses_plant_b word_senses_pitcher_a
        word_senses_pitcher_b word_senses_mouse_a word_senses_mouse_b word_senses_match_a
        word_senses_match_b word_senses_light_a word_senses_light_b word_senses_die_de_a
        word_senses_die_de_b word_senses_die_a word_senses_die_b word_senses_crane_a
        word_senses_crane_b word_senses_court_a word_senses_court_b word_senses_bow_a
        word_senses_bow_b word_senses_bat_a word_senses_bat_b word_senses_bass_a
        word_senses_bass_b word_senses_apple_a word_senses_apple_b word_senses_die_kind
        word_senses_die_by word_senses_die_point word_senses_question
        word_senses_exercise_which
    """,
    "isotropy": """
        isotropy_first isotropy_first_word isotropy_second isotropy_second_word
        isotropy_opening_layer isotropy_opening_seed isotropy_layer isotropy_seed
        isotropy_corpus isotropy_rank isotropy_dropped isotropy_histograms isotropy_query
        isotropy_formula isotropy_formula_word isotropy_formula_dimension
        isotropy_question isotropy_trio_sentence isotropy_trio_paraphrase
        isotropy_trio_unrelated isotropy_exercise_which
    """,
    "classification": """
        classification_ways_kind classification_ways_sentence_differ
        classification_ways_measure classification_ways_text
        classification_ways_sentence_all classification_ways_sentence_wrong
        classification_shown classification_curves_measure classification_set_data
        classification_set_start classification_set_trained classification_set_read_top
        classification_set_k classification_set_pooling classification_set_examples
        classification_set_epochs_top classification_set_batch_short
        classification_set_rate_top classification_set_seed
        classification_set_epochs_top_few classification_set_read_all
        classification_set_epochs_all classification_set_rate_all
        classification_set_read_head classification_set_epochs_head
        classification_set_rate_head classification_set_epochs_random
        classification_set_rate_random classification_set_batch_long
        classification_errors_run classification_errors_listed classification_own_run
        classification_own_text_sentiment classification_own_pair_entailment
        classification_own_second_entailment classification_compare_task
        classification_selection_run classification_selection_size
        classification_pairs_run classification_pairs_first classification_pairs_second
        classification_answers_run classification_answers_source
        classification_answers_passage classification_answers_question_0
        classification_answers_question_19 classification_answers_question_18
        classification_answers_question_17 classification_answers_question_16
        classification_answers_question_15 classification_answers_question_14
        classification_answers_question_13 classification_answers_question_12
        classification_answers_question_11 classification_answers_question_10
        classification_answers_question_9 classification_answers_question_8
        classification_answers_question_7 classification_answers_question_6
        classification_answers_question_5 classification_answers_question_4
        classification_answers_question_3 classification_answers_question_2
        classification_answers_question_1 classification_answers_own_passage
        classification_answers_own_question classification_answers_own_answer
        classification_published_task classification_take_home_run
        classification_take_home_sentiment_text classification_take_home_passages_question
        classification_take_home_passages_passage
        classification_take_home_entailment_first
        classification_take_home_entailment_second classification_exercise_which
        classification_exercise_text classification_own_class
        classification_own_text_own_classes
    """,
    "bio_tagging": """
        bio_tagging_marked_text bio_tagging_marked_type bio_tagging_marked_spans
        bio_tagging_back bio_tagging_marked_own_type bio_tagging_types_run
        bio_tagging_types_name bio_tagging_pieces_scheme bio_tagging_pieces_rule
        bio_tagging_curves_measure bio_tagging_set_data bio_tagging_set_start
        bio_tagging_set_trained bio_tagging_set_read_top bio_tagging_set_k
        bio_tagging_set_scheme bio_tagging_set_labelling bio_tagging_set_examples
        bio_tagging_set_epochs_top bio_tagging_set_batch_short bio_tagging_set_rate_top
        bio_tagging_set_seed bio_tagging_set_epochs_top_few bio_tagging_set_read_all
        bio_tagging_set_epochs_all bio_tagging_set_rate_all bio_tagging_set_read_head
        bio_tagging_set_epochs_head bio_tagging_set_rate_head
        bio_tagging_set_epochs_random bio_tagging_set_rate_random bio_tagging_which
        bio_tagging_sentence_from bio_tagging_sentence bio_tagging_piece
        bio_tagging_piece_tag bio_tagging_combination bio_tagging_viterbi_word
        bio_tagging_test_sentence bio_tagging_scores_scheme bio_tagging_scores_reading
        bio_tagging_scores_case bio_tagging_tags bio_tagging_scores_own
        bio_tagging_scores_sentence bio_tagging_bootstrap_a bio_tagging_bootstrap_b
        bio_tagging_average bio_tagging_seed bio_tagging_take_home_run
        bio_tagging_take_home_entities_text bio_tagging_exercise_which
        bio_tagging_exercise_text bio_tagging_shown
    """,
    "encoders_today": "encoders_today_published_task",
}

QUESTIONS = "of the learners' questions, which the page Look it up answers"
GERMAN = "of the map of “die” alone, which the map of the own word draws"
NEIGHBOURS = "of figures that went: one dimension's values, and the nearest words of the corpus"
TASK = "of the task at the end, whose place the exercises take"
CELL = "of the cell that is written out, which one text names now: attention_mask_cell"
LEFT = "of the blank from the left alone, which is in the lesson on prediction and loss now"
OWN_TAGGED = "of a sentence typed in a part: parts have the one that is marked in the opening"
PRODUCTS = "of a dot product's largest terms, which explained nothing"
BOOTSTRAP = "of the bootstrap's average and seed, which are fixed now"
LISTS = "of the other lists of test sentences: a part lists the errors of its own run"
# By reason.
GONE = {
    "of [CLS] as a sentence vector, which the lesson on encoders today measures": """
        sentence_pairs_cls_sentence sentence_pairs_cls_paraphrase sentence_pairs_cls_unrelated
    """,
    "of tables of published results, of which one chart is left": """
        classification_published_task encoders_today_published_task
    """,
    CELL: """
        attention_mask_key attention_mask_number attention_mask_worked_step
        attention_mask_worked_row attention_mask_worked_column
    """,
    LEFT: "attention_mask_cloze",
    "of a square that showed N × N a second time, below the lines": "attention_mask_n",
    "of one way to block scores, of which a table shows all": """
        attention_mask_row attention_mask_type attention_mask_constant attention_mask_way
    """,
    "of the sentence that an exercise asked about": """
        attention_mask_exercise_text classification_exercise_text
    """,
    "of sizes of a block, which the part on the number of parameters changes now": """
        attention_mask_block_hidden attention_mask_block_heads attention_mask_block_inner
        attention_mask_block_texts
    """,
    "of the curves of an experiment, which are those of all runs now": """
        train_an_encoder_experiment_curves_measure
    """,
    "of one weight in a run's first steps, whose step follows from the gradients' signs now": """
        train_an_encoder_adamw_step train_an_encoder_followed train_an_encoder_optimizer_word
        train_an_encoder_entry
    """,
    "of facts about models, many of them not checked": "train_an_encoder_family_fact",
    "of the class that is written out, which is the true one now": "sentence_pairs_class",
    "of the texts to truncate, which are the lesson's pair now": """
        sentence_pairs_truncation_first sentence_pairs_truncation_second
    """,
    "of the check of a learner's generator, which is in the lesson's notebook": """
        masking_generator_from
    """,
    "of batches and passes, which a sentence of the part on packing has": """
        sentence_pairs_sequences sentence_pairs_corpus sentence_pairs_passes
    """,
    "of a part of its own, which now has the learner's sentence": """
        masking_short_text masking_long_text
    """,
    QUESTIONS: """
        subword_tokens_question subword_tokens_try_cls subword_tokens_try_numbers
        subword_tokens_try_case subword_tokens_try_scripts subword_tokens_try_emoji
        subword_tokens_try_mask masking_question masking_two_text prediction_and_loss_question
        prediction_and_loss_question_place prediction_and_loss_question_other
        word_senses_question isotropy_question isotropy_trio_sentence isotropy_trio_paraphrase
        isotropy_trio_unrelated
    """,
    "of more than one neighbour, which the textbook's method has not": "word_senses_k",
    GERMAN: """
        word_senses_die_kind word_senses_die_by word_senses_die_point
    """,
    NEIGHBOURS: "isotropy_rank isotropy_query",
    "of one histogram of three, and of a second map's settings of UMAP": """
        isotropy_histograms word_senses_own_umap_neighbours word_senses_own_umap_min_dist
        word_senses_own_umap_seed
    """,
    "of examples from our own sentences, and of what they are worth": """
        word_senses_inventory_scope word_senses_inventory_from
    """,
    TASK: """
        subword_tokens_long subword_tokens_short masking_round masking_task_random
        masking_task_keep masking_task_count prediction_and_loss_task prediction_and_loss_sure
        prediction_and_loss_absurd sentence_pairs_task_follows sentence_pairs_task_random
    """,
    OWN_TAGGED: "bio_tagging_sentence bio_tagging_scores_own",
    PRODUCTS: "bio_tagging_piece_tag",
    BOOTSTRAP: "bio_tagging_average bio_tagging_seed",
    LISTS: """
        classification_ways_kind classification_ways_sentence_all
        classification_ways_sentence_wrong classification_errors_run
    """,
}
