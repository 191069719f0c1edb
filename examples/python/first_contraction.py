"""Contract arrays of NumPy; lists and anything with DLPack work too."""
import numpy as np
import trntensor

a = np.arange(6.0).reshape(2, 3)
b = np.ones((3, 4))

c = trntensor.einsum("ij,jk->ik", a, b)
print(c)
assert np.array_equal(c, a @ b)

# In place, and scaled before it is rounded: c = 2 a b + c.
trntensor.einsum("ij,jk->ik", a, b, out=c, alpha=2.0, beta=1.0)
assert np.array_equal(c, 3 * a @ b)

# Labels as numbers, as many as there are; a diagonal; a sum over everything.
assert np.array_equal(trntensor.einsum(a, [0, 1], b, [1, 2], [2, 0]), (a @ b).T)
assert np.array_equal(trntensor.einsum("ii->i", b[:, :3]), np.ones(3))
print("sum:", trntensor.einsum("ij->", a))
