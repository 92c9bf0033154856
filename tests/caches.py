"""Streamlit's caches, and the trainer: a test may want its own, apart from those of all others."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def own_caches() -> Iterator[None]:
    """Give empty caches, and afterwards those that were there, with all that is kept in them.

    What a test keeps under conditions of its own is not for the next one, and what earlier tests
    made under a visitor's conditions needn't be made again.
    """
    from streamlit.runtime.caching import cache_data_api, cache_resource_api

    from pages.shared.caches import cache_training

    data, resources = cache_data_api.DataCaches(), cache_resource_api.ResourceCaches()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache_data_api, "_data_caches", data)
        patch.setattr(cache_resource_api, "_resource_caches", resources)
        patch.setattr(cache_training, "_service", None)
        yield
        data.clear_all()
        resources.clear_all()
        cache_training.close_training_service()


def wait_for_the_trainer(seconds: float = 60.0) -> None:
    """Wait until the piece of work is done that was begun before a pause."""
    from pages.shared.caches import cache_training

    service, stop_at = cache_training.training_service(), time.monotonic() + seconds
    while service._at_work is not None:
        assert time.monotonic() < stop_at, "the trainer does not rest"
        time.sleep(0.01)


def let_the_trainer_work(seconds: float) -> None:
    """Wait a little, as a page's timer does, but no longer than there is work."""
    from pages.shared.caches import cache_training

    service, stop_at = cache_training.training_service(), time.monotonic() + seconds
    while service.standing().n_running and time.monotonic() < stop_at:
        time.sleep(0.01)


@contextmanager
def few_drawn() -> Iterator[None]:
    """Draw few words from a corpus meanwhile, in caches of their own.

    For what holds however many are drawn, with a model that reads them within a moment.
    """
    from pages.shared.caches import cache_vectors

    few = {
        "N_WORDS": 60,
        "N_POOL_WORDS": 80,
        "POOL_WORDS_A_BAND": 8,
    }
    with own_caches(), pytest.MonkeyPatch.context() as patch:
        for name, number in few.items():
            patch.setattr(cache_vectors, name, number)
        yield
