"""States in a file: what was written is read, whole or in parts, and the file goes."""

import gc
from concurrent.futures import ThreadPoolExecutor

import torch

from mlm_core.finetuning.states_on_disk import StatesOnDisk

LENGTHS, WIDTH = [3, 1, 5, 2], 7


def made() -> tuple[list[torch.Tensor], StatesOnDisk]:
    generator = torch.Generator().manual_seed(0)
    states = [torch.randn(length, WIDTH, generator=generator) for length in LENGTHS]
    on_disk = StatesOnDisk()
    on_disk.write(states[:3])
    on_disk.write(states[3:])
    return states, on_disk


def test_what_was_written_is_read_to_the_last_bit():
    states, on_disk = made()
    assert len(on_disk) == len(states)
    assert all(torch.equal(mine, one) for mine, one in zip(on_disk, states, strict=True))
    assert torch.equal(on_disk[-1], states[-1])


def test_a_slice_is_the_sequence_of_these_texts_and_outlives_the_whole():
    states, on_disk = made()
    some = on_disk[1:][1:3]
    del on_disk
    gc.collect()
    assert [len(one) for one in some] == [5, 2]
    assert torch.equal(some[0], states[2])


def test_threads_that_read_at_once_get_what_was_written():
    _, on_disk = made()
    on_disk.write(torch.full((i % 50 + 1, WIDTH), float(i)) for i in range(4, 300))

    def read(_: int) -> bool:
        return all((on_disk[i] == i).all() for i in range(4, 300))

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(read, range(8)))


def test_the_file_is_closed_with_the_last_reference():
    _, on_disk = made()
    some, file = on_disk[:2], on_disk._file
    del on_disk
    gc.collect()
    assert not file.closed and len(some[0])
    del some
    gc.collect()
    assert file.closed
