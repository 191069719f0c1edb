"""What all tests share: random contractions, and switches."""
import numpy as np
import pytest

try:
    import torch
except ImportError:
    torch = None

needs_torch = pytest.mark.skipif(torch is None, reason="torch is not installed")


class Exporter:
    """An array of another library that speaks DLPack."""

    def __init__(self, values, device=(1, 0)):
        self.values, self.device = values, device

    def __dlpack__(self, **options):
        return self.values.__dlpack__()

    def __dlpack_device__(self):
        return self.device


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="rewrite the files that tests compare with")
    parser.addoption("--cases", type=int, default=5000, help="random contractions to compare with NumPy and torch")


@pytest.fixture
def rng():
    return np.random.default_rng(20240607)
