"""Formulas over the elements of a contraction, evaluated while they are in cache (docs/epilogues.md).

>>> x = element()
>>> einsum_with_epilogue("ik,kj->ij", [[1.0, 2.0]], [[3.0], [4.0]], expression=sum("ij", x * x))
121.0
"""
from trntensor._core.epilogue import (  # noqa: A004
    Expression,
    einsum_with_epilogue,
    element,
    exp,
    max,
    min,
    sqrt,
    sum,
    tensor,
)

Expression.__module__ = __name__

__all__ = ["Expression", "einsum_with_epilogue", "element", "exp", "max", "min", "sqrt", "sum", "tensor"]
