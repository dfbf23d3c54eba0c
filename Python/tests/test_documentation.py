"""The Python code of the documentation runs, each page from top to bottom."""

import json
import re
import shutil

import pytest
from conftest import ROOT

PAGES = ["README.md", "Python/README.md", "Sources/Footfall/Footfall.docc/FromPython.md"]


def test_what_is_installed_is_the_wheel():
    """The package is not on PyPI: one with this name is another."""
    folders = [(ROOT / "Python/footfall", "*.py"), (ROOT / "Sources", "*.md"), (ROOT / "Packaging", "*"), (ROOT, "*.md")]
    paths = [path for folder, pattern in folders for path in (folder.glob if folder == ROOT else folder.rglob)(pattern) if path.is_file()]
    assert paths
    assert not [path for path in paths if re.search(rb"install '?footfall\[", path.read_bytes())]


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_runs(page, walk, samples, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    # The content of a file shows its format, whatever its name.
    for name in ("wrist.cwa", "walk.csv"):
        shutil.copy(walk, name)
    (tmp_path / "notes.txt").write_text("Dear Sir or Madam,\n" * 100)
    counts = {"Footfall": [99, 205], "watch": [90, 220]}
    evaluation = [
        {"group": f"recording made/{name}", "counter": counter, "trueSteps": true, "countedSteps": counted, "detectedSteps": counted,
         "hours": true / 6000}
        for counter, found in counts.items() for name, true, counted in zip("ab", [100, 200], found)
    ]  # fmt: skip
    (tmp_path / "evaluation.json").write_text(json.dumps(evaluation))
    (tmp_path / "manifest.csv").write_text("dataset,recording,subject\nmade,a,ann\nmade,b,ben\n")
    names = dict(zip(("time", "xyz"), samples))
    text = (ROOT / page).read_text()
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S))
    assert blocks
    for block in blocks:
        if "pandas" in block[1]:
            pytest.importorskip("pandas")
        if "footfall.study(" in block[1]:
            request.getfixturevalue("command")
        if "import evaluation" in block[1]:
            pytest.importorskip("pingouin")
        # An error names the line of the page.
        line = text[: block.start(1)].count("\n")
        exec(compile("\n" * line + block[1], page, "exec"), names)
