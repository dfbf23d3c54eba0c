"""The Python code of the documentation runs, each page from top to bottom."""

import re
import shutil

import pytest
from conftest import ROOT

PAGES = ["README.md", "Python/README.md", "Sources/Footfall/Footfall.docc/FromPython.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_runs(page, walk, samples, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # The content of a file shows its format, whatever its name.
    for name in ("wrist.cwa", "walk.csv"):
        shutil.copy(walk, name)
    (tmp_path / "notes.txt").write_text("Dear Sir or Madam,\n" * 100)
    names = dict(zip(("time", "xyz"), samples))
    text = (ROOT / page).read_text()
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S))
    assert blocks
    for block in blocks:
        if "import pandas" in block[1]:
            pytest.importorskip("pandas")
        # An error names the line of the page.
        line = text[: block.start(1)].count("\n")
        exec(compile("\n" * line + block[1], page, "exec"), names)
