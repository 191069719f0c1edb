"""The examples of docstrings and documents run and show what they say; every public name is documented."""
import doctest
import inspect
import pathlib
import re

import pytest
import trntensor
from conftest import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLIC = [(trntensor, name) for name in trntensor.__all__] + [(trntensor.epilogue, n) for n in trntensor.epilogue.__all__]
PUBLIC.append((trntensor, None))
WITHOUT_EXAMPLE = {"InternalError"}


def run_examples(text, name, names):
    test = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    return len(test.examples)


@pytest.mark.parametrize("module, name", PUBLIC, ids=lambda x: getattr(x, "__name__", str(x)))
def test_docstring(module, name):
    thing = module if name is None else getattr(module, name)
    assert thing.__doc__, "has no docstring"
    examples = run_examples(thing.__doc__, str(name), {**vars(trntensor), **vars(module), **(vars(thing) if inspect.ismodule(thing) else {})})
    assert examples or name in WITHOUT_EXAMPLE, "has no example"


@pytest.mark.parametrize("document", ["python.md", "migration.md"])
def test_document(document):
    if torch is None:
        pytest.skip("the document shows torch")
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert run_examples("\n".join(block for block in blocks if ">>>" in block), document, {})


def test_every_public_name_is_in_the_document():
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    missing = [name for name in trntensor.__all__ if f"`{name}" not in text]
    assert not missing
