"""The source that a page shows is the one that ran, and a whole class may open it at once."""

import inspect
import threading
import time

from mlm_core.encoder.bert import MaskedLanguageHead
from mlm_core.text.tokens import tokenize
from pages.shared import source


def test_a_class_is_found_with_its_file_and_line():
    file, line, text = source.source_of(MaskedLanguageHead)
    lines = (source.ROOT / file).read_text(encoding="utf-8").splitlines(keepends=True)
    assert text.startswith("class MaskedLanguageHead")
    assert "".join(lines[line - 1 :]).startswith(text)


def test_two_learners_who_open_it_at_once_never_parse_at_once(monkeypatch):
    source._read_source.cache_clear()
    n_inside, most = 0, 0
    find = inspect.getsourcelines

    def watched(function):
        nonlocal n_inside, most
        n_inside += 1
        most = max(most, n_inside)
        time.sleep(0.01)
        n_inside -= 1
        return find(function)

    monkeypatch.setattr(inspect, "getsourcelines", watched)
    asked = [MaskedLanguageHead, tokenize, source.show_source]
    threads = [threading.Thread(target=source.source_of, args=(one,)) for one in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    source._read_source.cache_clear()
    assert most == 1
