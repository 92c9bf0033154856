"""Exercises of the lesson "BIO tagging".

Read before this: tasks/path_tasks.py, tasks/entity_tasks.py.
"""

from mlm_core.exercises.exercise import Exercise
from mlm_core.exercises.tasks.entity_tasks import draw_entity_f1, draw_two_readings
from mlm_core.exercises.tasks.path_tasks import draw_two_paths
from mlm_core.exercises.tasks.tag_tasks import draw_subword_labels, draw_write_tags

EXERCISES = (
    Exercise(id="write_tags", kind="text", ask=draw_write_tags),
    Exercise(id="piece_labels", kind="text", ask=draw_subword_labels, uses_text=True),
    Exercise(id="two_paths", kind="pair", ask=draw_two_paths),
    Exercise(id="entity_f1", kind="number", ask=draw_entity_f1),
    Exercise(id="two_readings", kind="number", ask=draw_two_readings),
)
