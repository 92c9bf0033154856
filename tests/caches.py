"""Streamlit's caches, and the trainer: a test may want its own, apart from those of all others."""

import dataclasses
import math
import sys
import time
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from streamlit.runtime.caching.cache_resource_api import ResourceCache
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import Module

from tests.waiting import wait_until

MOST_UNUSED = 100_000  # bytes of an entry that nobody looks at
MOST_OF_CACHE = 70_000_000  # bytes, were all its entries as large as the largest one
# Of a tokenizer's JSON, measured: BPE with 8000 entries takes 2.05 MB, its JSON has 0.244.
BYTES_A_LETTER = 8.4


def hangs_on_no_input(cache: ResourceCache) -> bool:
    name = cache.display_name.rpartition(".")[2].removesuffix("()")
    return cache.max_entries == math.inf or name in ("dataset", "stored", "stored_run")


@contextmanager
def own_caches() -> Iterator[None]:
    """Give empty caches, and afterwards those that were there, with all that is kept in them.

    What a test keeps under conditions of its own is not for the next one, and what earlier tests
    made under a visitor's conditions needn't be made again. What hangs on no input stays: the
    model, and what is read from files of the repository.
    """
    from streamlit.runtime.caching import cache_data_api, cache_resource_api

    from pages.server.caches import cache_training

    data, resources = cache_data_api.DataCaches(), cache_resource_api.ResourceCaches()
    own = resources._function_caches[None] = {}
    before = cache_resource_api._resource_caches._function_caches.get(None, {})
    kept = {key: one for key, one in before.items() if hangs_on_no_input(one)}
    own |= kept
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache_data_api, "_data_caches", data)
        patch.setattr(cache_resource_api, "_resource_caches", resources)
        patch.setattr(cache_training, "_service", None)
        yield
        data.clear_all()
        for key in kept.keys() & own.keys():
            del own[key]
        resources.clear_all()
        cache_training.close_training_service()


Entry = tuple[str, str]  # the name of its cache, its key


def entries() -> set[Entry]:
    """Return what the caches keep, so that a test may judge only what it adds."""
    return {(name, key) for name, _, key, _ in _kept()}


def _kept() -> Iterator[tuple[str, float, str, Any]]:
    """Yield each entry: cache, how many entries this may have, key, and value or its bytes."""
    from streamlit.runtime.caching import cache_data_api, cache_resource_api

    for cache in cache_resource_api._resource_caches._function_caches.get(None, {}).values():
        for key, entry in [*cache._mem_cache.items()]:
            yield cache.display_name, cache.max_entries, key, entry.value
    for cache in cache_data_api._data_caches._function_caches.get(None, {}).values():
        for key, pickled in [*cache.storage._mem_cache.items()]:
            yield cache.display_name, cache.max_entries or 1, key, pickled


def caches_that_take_more(before: Container[Entry]) -> Iterator[str]:
    """Say which cache takes too much when it is full of entries like one added since `before`."""
    for name, most, key, value in _kept():
        if most == math.inf or (name, key) in before:
            continue
        n_bytes = _n_bytes(value)
        if n_bytes * most > MOST_OF_CACHE:
            yield f"{name}: {most} entries of {n_bytes:,.0f} bytes"


def _n_bytes(value: object) -> float:
    """Return what a result takes, but for a model that all share."""
    tensors = {
        one.untyped_storage().data_ptr(): one.untyped_storage().nbytes()
        for one in _tensors_in(value, set())
    }
    return sum(tensors.values()) + _n_bytes_of_words(value, set())


def _n_bytes_of_words(value: object, seen: set[int]) -> float:
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, Tokenizer):
        return BYTES_A_LETTER * len(value.to_str())
    return sys.getsizeof(value) + sum(_n_bytes_of_words(one, seen) for one in _parts(value))


def views_that_keep_more(before: Container[Entry]) -> Iterator[str]:
    """Say where a result cached since `before` is a view of numbers that mostly aren't its own.

    A row of a tensor keeps the whole tensor: an entry of 0.2 MB was 16.6.
    """
    for name, _, key, value in _kept():
        used: dict[int, list[int]] = {}  # by storage: its bytes, and those that are looked at
        for tensor in _tensors_in(value, set()) if (name, key) not in before else ():
            storage = tensor.untyped_storage()
            of_storage = used.setdefault(storage.data_ptr(), [storage.nbytes(), 0])
            of_storage[1] += tensor.nbytes
        kept, looked_at = (sum(numbers) for numbers in zip((0, 0), *used.values(), strict=True))
        if kept - looked_at > MOST_UNUSED:
            yield f"{name} keeps {kept:,} bytes for {looked_at:,}"


def _tensors_in(value: object, seen: set[int]) -> Iterator[Tensor]:
    """Yield the tensors of a result, but for those of a model, which has its own size."""
    if id(value) in seen or isinstance(value, Module):
        return
    seen.add(id(value))
    if isinstance(value, Tensor):
        yield value
        return
    for part in _parts(value):
        yield from _tensors_in(part, seen)


def _parts(value: object) -> Iterable:
    """Return what a result is made of."""
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, tuple | list | set):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type | Module):
        names = (field.name for field in dataclasses.fields(value))
        return (getattr(value, name) for name in names if hasattr(value, name))
    return ()


def wait_for_the_trainer() -> None:
    """Wait until the piece of work is done that was begun before a pause."""
    from pages.server.caches import cache_training

    service = cache_training.training_service()
    wait_until(lambda: service._at_work is None)


def let_the_trainer_work(seconds: float) -> None:
    """Wait a little, but no longer than there is work, and look at it as a page's timer does.

    A job that nobody looks at pauses, which on a busy machine would come before its end.
    """
    from pages.server.caches import cache_training

    service, stop_at = cache_training.training_service(), time.monotonic() + seconds
    while service.standing().n_running and time.monotonic() < stop_at:
        for ticket in [*service._jobs.tickets]:
            service.look(ticket)
        time.sleep(0.01)


@contextmanager
def few_drawn() -> Iterator[None]:
    """Draw few words from a corpus meanwhile, and judge senses with two words.

    What the lesson on isotropy says holds however many are drawn, and the model reads these within
    a moment.
    """
    from pages.lessons.isotropy import computed, pool, sense_words

    few = {"N_WORDS": 90, "N_POOL_WORDS": 120, "POOL_WORDS_A_BAND": 8}
    with pytest.MonkeyPatch.context() as patch:
        for name, number in few.items():
            patch.setattr(computed, name, number)
        patch.setattr(pool, "BLOCK", 40)
        patch.setattr(sense_words, "sense_words", lambda p: ("apple", "bat"))
        yield
