"""Builds the extension module with CMake. pyproject.toml says everything else.

Environment: CMAKE_ARGS is handed to CMake, CMAKE_BUILD_PARALLEL_LEVEL says how many compilers run at once. With
trntensor_ROOT, the folder of an installed trntensor of the same version, only the module is compiled; else the library
is too, and needs what README.md says.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    header = (ROOT / "trntensor" / "version.hpp").read_text(encoding="utf-8")
    return re.search(r'TRNTENSOR_VERSION "([^"]+)"', header)[1]


class CMakeBuild(build_ext):
    """One target of the project in place of an extension."""

    def build_extension(self, ext):
        module = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        build = pathlib.Path(self.build_temp).resolve()
        only_module = "trntensor_ROOT" in os.environ
        configure = [
            "cmake",
            *("-S", str(ROOT / "python" if only_module else ROOT)),
            *("-B", str(build)),
            "-DCMAKE_BUILD_TYPE=Release",
            "-DTRNTENSOR_ENABLE_PYTHON=ON",
            "-DTRNTENSOR_ENABLE_TESTS=OFF",
            f"-DPython_EXECUTABLE={sys.executable}",
            f"-DTRNTENSOR_PYTHON_OUTPUT={module.parent}",
            *shlex.split(os.environ.get("CMAKE_ARGS", "")),
        ]
        subprocess.run(configure, check=True)
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
        subprocess.run(["cmake", "--build", str(build), "--target", "trntensor_python", "-j", jobs], check=True)


setup(version=version(), ext_modules=[Extension("trntensor._core", [])], cmdclass={"build_ext": CMakeBuild})
