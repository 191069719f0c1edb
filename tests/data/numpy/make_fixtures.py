"""Writes the files in this folder, which NumPy 1.24 and h5py 3.7 made: /usr/bin/python3 make_fixtures.py

The values of every array are those of tests/tensor/file_fixtures.hpp.
"""

import os
import zipfile

import h5py
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))

TYPES = ["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
NAMES = [np.dtype(t).name for t in TYPES]


def values(code):
    """2 x 3 values that differ in byte order, sign and part as far as the type allows."""
    kind, size = code[0], int(code[1:])
    if kind == "b":
        return np.array([[False, True, False], [True, True, False]])
    low = 2 if kind == "u" else -2
    high = 100 if size == 1 else 258
    array = np.array([[0, 1, low], [3, 100, high]]).astype(code)
    return array + np.array(1j).astype(code) * np.arange(6).reshape(2, 3) if kind == "c" else array


def ordered(code, order):
    return values(code).astype(np.dtype(code).newbyteorder(order))


np.savez("little.npz", **{np.dtype(t).name: ordered(t, "<") for t in TYPES})
np.savez_compressed("big.npz", **{np.dtype(t).name: ordered(t, ">") for t in TYPES})
np.save("fortran.npy", np.asfortranarray(values("f8")))
np.save("scalar.npy", np.array(2.5))
np.save("empty.npy", np.empty((3, 0, 2), dtype="i4"))
for major in (2, 3):
    with open(f"version{major}.npy", "wb") as file:
        np.lib.format.write_array(file, values("f4"), version=(major, 0))
# What ml_dtypes has NumPy write: the upper halves of float32, and one byte per element.
np.save("raw2.npy", (values("f4").view("<u4") >> 16).astype("<u2").view("V2"))
np.save("raw1.npy", np.array([0x00, 0x38, 0xC0, 0x44], dtype="u1").view("V1"))

np.save("structured.npy", np.zeros(2, dtype=[("a", "f4"), ("b", "i4")]))
np.save("object.npy", np.array([None, {}], dtype=object), allow_pickle=True)
np.save("text.npy", np.array(["ab", "c"]))
np.save("date.npy", np.array(["2020-01-01"], dtype="M8[D]"))
np.save("long_double.npy", np.zeros(2, dtype=np.longdouble))

with zipfile.ZipFile("other_members.npz", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("readme.txt", "not an array")
    with archive.open("array.npy", "w") as member:
        np.lib.format.write_array(member, values("f8"))
with zipfile.ZipFile("bzip2.npz", "w", zipfile.ZIP_BZIP2) as archive:
    with archive.open("array.npy", "w") as member:
        np.lib.format.write_array(member, values("f8"))

with h5py.File("h5py.h5", "w", track_order=False) as file:
    for code in TYPES:
        file[f"little/{np.dtype(code).name}"] = ordered(code, "<")
        file[f"big/{np.dtype(code).name}"] = ordered(code, ">")
    data = np.arange(600, dtype="f8").reshape(20, 30)
    file.create_dataset("packed", data=data, chunks=(7, 30), compression="gzip", shuffle=True)
    file.create_dataset("chunked", data=data, chunks=(7, 11))
    file.create_dataset("zeros", data=np.zeros((300, 500)), chunks=(300, 500), compression="gzip", compression_opts=9)
    file.create_dataset("unwritten", shape=(3,), dtype="f4", fillvalue=7)
    file.create_dataset("unwritten_huge", shape=(1 << 40,), dtype="f4")
    file.create_dataset("unwritten_chunks", shape=(1 << 40,), dtype="f4", chunks=(1000,))
    file["scalar"] = 2.5
    file.create_dataset("empty", data=np.empty((3, 0, 2), dtype="i4"))
    file["null"] = h5py.Empty("f4")
    file["text"] = "words"
    file["structured"] = np.zeros(2, dtype=[("a", "f4"), ("b", "f4")])
    file["long_double"] = np.zeros(2, dtype=np.longdouble)
    file["colour"] = np.array([1], dtype=h5py.enum_dtype({"RED": 0, "BLUE": 1}, basetype="i1"))
    file["soft"] = h5py.SoftLink("/little/float32")
    file["outside"] = h5py.ExternalLink("other.h5", "/secret")
    layout = h5py.VirtualLayout(shape=(2, 3), dtype="f8")
    layout[:] = h5py.VirtualSource("other.h5", "secret", shape=(2, 3))
    file.create_virtual_dataset("virtual", layout)
    file.create_dataset("external", shape=(3,), dtype="f8", external=[("other.bin", 0, 24)])

with h5py.File("compact.h5", "w") as file:
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple((3,))
    dataset = h5py.h5d.create(file.id, b"data", h5py.h5t.IEEE_F64LE, space, properties)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([1.0, 2.0, 3.0]))

with open("promotion.txt", "w") as file:
    file.write("# a b numpy.promote_types(a, b) numpy.can_cast(a, b, 'same_kind'), NumPy " + np.__version__ + "\n")
    for a in NAMES:
        for b in NAMES:
            file.write(f"{a} {b} {np.promote_types(a, b).name} {int(np.can_cast(a, b, 'same_kind'))}\n")
