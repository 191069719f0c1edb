"""`pip install .` into a fresh environment over the installed library, then use away from the sources.

usage: install_and_use.py SOURCES BUILD_FOLDER WORK_FOLDER
"""
import os
import pathlib
import shutil
import subprocess
import sys
import venv

USE = """
import pathlib, sys
import trntensor
assert str(pathlib.Path(trntensor.__file__)).startswith(sys.prefix), trntensor.__file__
assert (pathlib.Path(trntensor.__file__).parent / "py.typed").exists()
assert (pathlib.Path(trntensor.__file__).parent / "__init__.pyi").exists()
import importlib.metadata
assert importlib.metadata.version("trntensor") == trntensor.__version__
import numpy as np
a = np.random.default_rng(0).standard_normal((50, 60))
assert np.allclose(trntensor.einsum("ij,kj->ik", a, a), a @ a.T)
assert trntensor.mp2_energy([[[1.0]]], [-1.0], [1.0]) == -0.25
print("installed and used:", trntensor.__version__)
"""


def run(*command, **options):
    print("+", *command, flush=True)
    subprocess.run(command, check=True, **options)


def main(sources, build, work):
    shutil.rmtree(work, ignore_errors=True)
    prefix, environment, elsewhere = work / "prefix", work / "venv", work / "elsewhere"
    elsewhere.mkdir(parents=True)
    run("cmake", "--install", str(build), "--prefix", str(prefix), stdout=subprocess.DEVNULL)
    venv.create(environment, system_site_packages=True, with_pip=False)
    python = str(environment / "bin" / "python")
    # pip builds where the sources are: a copy keeps what it leaves there out of the repository.
    copy = work / "sources"
    names = subprocess.run(["git", "-C", str(sources), "ls-files", "-z"], capture_output=True, text=True)
    if names.returncode == 0:
        for name in filter(None, names.stdout.split("\0")):
            if (sources / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(sources / name, copy / name)
    else:
        shutil.copytree(sources, copy, ignore=shutil.ignore_patterns("build", ".git"))
    settings = {**os.environ, "trntensor_ROOT": str(prefix), "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONPATH": ""}
    run(python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", str(copy), env=settings)
    plain = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    run(python, "-c", USE, cwd=elsewhere, env=plain)


if __name__ == "__main__":
    main(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:4]))
