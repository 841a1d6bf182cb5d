"""The notebook runs, and shows what it says. This file as a program makes its outputs anew:

    python python/tests/test_notebook.py
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

PATH = Path(__file__).parents[1] / "examples" / "laboratory.ipynb"
CLAIMS = """
import json
print(json.dumps({
    "rule": rule.to_dict(), "sweep": sweep.to_dict(), "apprentice": apprentice.to_dict(), "speeds": speeds,
    "fields": [it.to_dict() for it in fields.values()], "choices": len(analysis.choices),
}))
"""


def execute(notebook: Any) -> None:
    """Runs all cells in a fresh kernel, which leaves no times and no names of machines behind."""
    import nbclient

    resources = {"metadata": {"path": str(PATH.parent)}}
    nbclient.NotebookClient(notebook, resources=resources, record_timing=False).execute()
    notebook.metadata["language_info"] = {"name": "python"}


def texts(cells: list[dict[str, Any]]) -> list[str]:
    """What cells show as text."""
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return ["".join(output.get("data", {}).get("text/plain", output.get("text", ""))) for output in outputs]


def test_what_is_committed_is_whole() -> None:
    written = PATH.read_text(encoding="utf-8")
    cells = json.loads(written)["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert all(cell["metadata"] == {} for cell in cells)
    kinds = [output["output_type"] for cell in code for output in cell["outputs"]]
    assert kinds and "error" not in kinds
    assert len(written) < 150_000
    assert not re.search(r"/(home|root|tmp|work|Users)/", written)


@pytest.mark.timeout(300)
@pytest.mark.filterwarnings("default")
def test_it_runs_and_shows_what_it_says() -> None:
    pytest.importorskip("nbclient")
    pytest.importorskip("matplotlib")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(PATH, as_version=4)
    committed = texts(notebook.cells)
    notebook.cells.append(nbformat.v4.new_code_cell(CLAIMS))
    execute(notebook)
    shown = texts(notebook.cells)
    claims = json.loads(shown[-1])
    # The rule is clear of `stopper`, the more so the more a card pays.
    assert claims["rule"]["gain"] - claims["rule"]["ci95"] > 0.1
    rows = claims["sweep"]["rows"]
    assert rows[-1]["gain"] > rows[0]["gain"] and rows[-1]["separated"]
    # The network is near the champion, who taught it, and clear of `stopper`.
    assert claims["apprentice"]["gain"] > -0.15
    assert all(duel["gain"] - duel["ci95"] > 0 for duel in claims["fields"])
    assert claims["choices"] == 3
    # Rows are faster than views.
    fast, slow = claims["speeds"]["the same on rows, in numpy"], claims["speeds"]["a lead rule on views"]
    assert fast > slow
    # What is committed is what it shows, where no clock counts.
    for text in committed:
        if text.startswith("<DuelResult: four questions"):
            assert text in shown
    assert any(text.startswith("<DuelResult: four questions") for text in committed)


if __name__ == "__main__":
    import nbformat

    shown = nbformat.read(PATH, as_version=4)
    execute(shown)
    nbformat.write(shown, PATH)
