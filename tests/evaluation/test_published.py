"""Published results: each number has its place in a paper that docs/references.md lists."""

import re
from pathlib import Path

import pytest

from mlm_core.evaluation.published import results

ROOT = Path(__file__).parents[2]
NAMES = set(
    re.findall(r"^\| ([^|]+?) \| ", (ROOT / "docs/references.md").read_text(), re.MULTILINE)
)
# Authors and year, as in "Devlin et al. 2019", "Kudo (2018)", "Gale, Church and Yarowsky, 1992".
CITED = re.compile(
    r"((?:van |von |Tjong Kim |Berg-|Mc)?[A-Z][a-zäöüŁ]+"
    r"(?: et al\.| & (?:van |De |El-)?[A-Z][a-z]+)?)"
    r",? \(?((?:19|20)\d\d)\b"
)
NO_PAPERS = {"TAG", "October", "In", "Wikipedia", "Crawl", "August", "Since", "The"}


def test_results_have_papers_and_grow_with_the_size_among_prompted_models():
    rows = results()
    assert {each.paper for each in rows} <= NAMES
    assert [each.n_parameters for each in rows] == sorted(each.n_parameters for each in rows)
    prompted = [each.value for each in rows if not each.is_fine_tuned]
    assert prompted == sorted(prompted) and len(prompted) == 3
    # One hundred million parameters, fine-tuned, are between 8 and 70 billion, prompted.
    small = next(each.value for each in rows if each.model == "ELECTRA-base")
    assert prompted[0] < small < prompted[1]


@pytest.mark.parametrize("folder", ["pages", "mlm_core"])
def test_every_paper_that_is_named_is_in_the_list_of_references(folder: str):
    rows = (ROOT / "docs/references.md").read_text(encoding="utf-8").splitlines()
    listed = {
        (word, row.split(" | ")[0][-4:]) for row in rows for word in re.findall(r"[\w-]+", row)
    }
    missing = set()
    for file in (ROOT / folder).rglob("*"):
        is_ours = file.suffix in (".py", ".md") and not {"data", "de"} & set(file.parts)
        if is_ours and (folder != "pages" or file.suffix == ".md"):
            for name, year in CITED.findall(file.read_text(encoding="utf-8")):
                words = re.findall(r"[\w-]+", name)
                if not any((word, year) in listed for word in words) and words[0] not in NO_PAPERS:
                    missing.add(f"{file.name}: {name} {year}")
    assert not missing, f"add to docs/references.md: {sorted(missing)}"
