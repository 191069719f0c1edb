"""Random contractions, described by values that can be printed."""
import numpy as np

LETTERS = "abcdefgh"
EXTENTS = (0, 1, 1, 2, 3, 4, 5, 7)
FLOATS = ("float32", "float64", "complex64", "complex128")
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool")


def draw_subscripts(rng, ellipsis=True):
    """(inputs, output or None, sizes): one to four terms over few letters, with repetitions."""
    sizes = {letter: int(rng.choice(EXTENTS, p=(0.03, *[0.97 / 7] * 7))) for letter in LETTERS}
    inputs = []
    for _ in range(rng.integers(1, 5)):
        inputs.append("".join(rng.choice(list(LETTERS[: rng.integers(2, 9)]), size=rng.integers(0, 5))))
    used = sorted(set("".join(inputs)))
    output = None
    if rng.random() < 0.8:
        output = "".join(rng.permutation([letter for letter in used if rng.random() < 0.5]))
    if ellipsis and rng.random() < 0.2:
        inputs = [term[:at] + "..." + term[at:] for term in inputs for at in [int(rng.integers(0, len(term) + 1))]]
        if output is not None:
            at = int(rng.integers(0, len(output) + 1))
            output = output[:at] + "..." + output[at:]
    return inputs, output, sizes


def shape_of(term, sizes, outer):
    left, dots, right = term.partition("...")
    return tuple(sizes[x] for x in left) + (outer if dots else ()) + tuple(sizes[x] for x in right)


def draw_values(rng, shape, dtype):
    """Small numbers, so that sums of integers do not wrap where NumPy's would be undefined."""
    if dtype == "bool":
        return rng.random(shape) < 0.5
    if np.dtype(dtype).kind in "iu":
        return rng.integers(0, 5, shape).astype(dtype)
    values = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def with_strange_strides(rng, array):
    """The same values in another place: transposed, reversed, every second, Fortran, read-only."""
    array, choice = np.asarray(array), rng.integers(0, 6)
    if choice == 0 and array.ndim > 1:
        axes = rng.permutation(array.ndim)
        return np.ascontiguousarray(array.transpose(axes)).transpose(np.argsort(axes))
    if choice == 1 and array.ndim > 0:
        return np.ascontiguousarray(array[::-1])[::-1]
    if choice == 2 and array.ndim > 0:
        wide = np.zeros(array.shape[:-1] + (2 * array.shape[-1],), array.dtype)
        wide[..., ::2] = array
        return wide[..., ::2]
    if choice == 3:
        return np.asfortranarray(array) if array.ndim else array
    if choice == 4:
        array = array.copy()
        array.flags.writeable = False
    return array


def draw_call(rng, dtypes):
    """Subscripts and arrays of one random contraction that NumPy accepts."""
    while True:
        inputs, output, sizes = draw_subscripts(rng)
        outer = tuple(int(x) for x in rng.choice((1, 2, 3), size=rng.integers(0, 3)))
        subscripts = ",".join(inputs) + ("" if output is None else "->" + output)
        operands = []
        for term in inputs:
            narrow = {letter: 1 if rng.random() < 0.05 else size for letter, size in sizes.items()}  # broadcasts
            shape = shape_of(term, narrow, outer[rng.integers(0, len(outer) + 1) :])
            operands.append(with_strange_strides(rng, draw_values(rng, shape, str(rng.choice(dtypes)))))
        points = np.prod([float(sizes[x]) for x in set("".join(inputs)) - {"."}] + [float(np.prod(outer))])
        if points < 20000:
            return subscripts, operands
