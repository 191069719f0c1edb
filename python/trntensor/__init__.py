from trntensor._core import *  # noqa
from trntensor._core import einsum, Tensor
