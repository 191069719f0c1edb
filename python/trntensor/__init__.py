"""Tensor contractions: one notation, one planner, arrays of NumPy, torch and anything with DLPack.

>>> import numpy as np
>>> einsum("ij,jk->ik", np.eye(2), np.ones((2, 3))).shape
(2, 3)

See docs/python.md.
"""

import functools

from trntensor import _core, epilogue
from trntensor._core import (
    ContractExpression,
    ContractionPlan,
    InternalError,
    Tensor,
    __version__,
    ao_to_mo_transform,
    clear_plan_cache,
    contract_expression,
    einsum,
    estimate_flops,
    get_num_threads,
    list_tensors,
    load_tensor,
    mp2_energies,
    mp2_energy,
    multi_einsum,
    plan_ao_to_mo_transform,
    plan_cache_info,
    plan_contraction,
    save_tensor,
    save_tensors,
    select_precision_for_error,
    set_num_threads,
    set_plan_cache_size,
    sos_mp2_energy,
)
from trntensor._path import PathInfo, contract_path

__all__ = [
    "ContractExpression",
    "ContractionPlan",
    "InternalError",
    "PathInfo",
    "Tensor",
    "ao_to_mo_transform",
    "clear_plan_cache",
    "contract_expression",
    "contract_path",
    "einsum",
    "epilogue",
    "estimate_flops",
    "get_num_threads",
    "list_tensors",
    "load_tensor",
    "mp2_energies",
    "mp2_energy",
    "multi_einsum",
    "plan_ao_to_mo_transform",
    "plan_cache_info",
    "plan_contraction",
    "save_tensor",
    "save_tensors",
    "select_precision_for_error",
    "set_num_threads",
    "set_plan_cache_size",
    "sos_mp2_energy",
]


def _at_home(value):
    """Has users find it here and not in the compiled part; functions so that they can be pickled."""
    if isinstance(value, type(_core.clear_plan_cache)) and value is not einsum:
        compiled = value

        @functools.wraps(compiled)
        def value(*arguments, **keywords):
            return compiled(*arguments, **keywords)

    if getattr(value, "__module__", None) == _core.__name__ and value is not einsum:
        value.__module__ = __name__
        value.__qualname__ = value.__name__
    return value


for _name in __all__:
    globals()[_name] = _at_home(globals()[_name])
del _name
