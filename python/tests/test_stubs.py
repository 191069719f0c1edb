"""The type stubs say what the package has: they are what scripts/stubs makes of the docstrings.

Renew them with `pytest --update-golden`.
"""
import ast
import pathlib
import subprocess
import sys

import pytest
import trntensor

ROOT = pathlib.Path(__file__).resolve().parents[2]


def generated(*arguments):
    command = [sys.executable, str(ROOT / "scripts" / "stubs"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name, arguments", [("__init__.pyi", ()), ("epilogue.pyi", ("epilogue",))])
def test_stubs_are_those_of_the_package(name, arguments, request):
    file = ROOT / "python" / "trntensor" / name
    text = generated(*arguments)
    if request.config.getoption("--update-golden"):
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
    ast.parse(text)


def test_everything_public_has_a_stub():
    tree = ast.parse((ROOT / "python" / "trntensor" / "__init__.pyi").read_text(encoding="utf-8"))
    named = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert set(trntensor.__all__) - {"epilogue"} == named
    assert sorted(trntensor.__all__) == trntensor.__all__


def test_mypy_takes_the_stubs(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(
        "import trntensor as tt\n"
        "plan: tt.ContractionPlan = tt.plan_contraction('ij->j', (2, 3), shapes=True)\n"
        "flops: int = plan.estimated_flops\n"
        "text: str = tt.epilogue.element().__repr__()\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(tmp_path / "use.py")]
    environment = {"MYPYPATH": str(ROOT / "python"), "PATH": "/usr/bin:/bin"}
    answer = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert answer.returncode == 0, answer.stdout
