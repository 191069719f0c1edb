"""Files in and out, beside NumPy's own readers and writers."""
import pathlib

import numpy as np
import pytest
import trntensor
from conftest import needs_torch, torch
from trntensor import list_tensors, load_tensor, save_tensor, save_tensors

A = np.arange(6.0).reshape(2, 3)


def test_npy_beside_numpy(tmp_path):
    np.save(tmp_path / "a.npy", A)
    assert np.array_equal(load_tensor(tmp_path / "a.npy"), A)
    save_tensor(str(tmp_path / "b.npy"), A[:, ::-1])
    assert np.array_equal(np.load(tmp_path / "b.npy"), A[:, ::-1])


def test_npz_beside_numpy(tmp_path):
    np.savez_compressed(tmp_path / "a.npz", x=A, y=A[0])
    assert list_tensors(tmp_path / "a.npz") == ["x", "y"]
    assert np.array_equal(load_tensor(tmp_path / "a.npz", "y"), A[0])
    save_tensors(tmp_path / "b.npz", {"x": A, "n": 3}, compress=True)
    with np.load(tmp_path / "b.npz") as file:
        assert np.array_equal(file["x"], A) and file["n"] == 3


@pytest.mark.parametrize("extension", ["h5", "hdf5", "npz"])
def test_several_tensors(tmp_path, extension):
    path = tmp_path / f"a.{extension}"
    save_tensors(path, {"x": A, "z": A * 1j})
    assert list_tensors(path) == ["x", "z"]
    assert np.array_equal(load_tensor(path, "z"), A * 1j)
    with pytest.raises(ValueError, match="x"):
        load_tensor(path)
    with pytest.raises(ValueError, match="no|is not"):
        load_tensor(path, "w")


def test_kinds(tmp_path):
    save_tensor(tmp_path / "a.npy", A)
    assert type(load_tensor(tmp_path / "a.npy", kind="tensor")) is trntensor.Tensor
    assert type(load_tensor(tmp_path / "a.npy", kind="numpy")) is np.ndarray
    if torch is not None:
        assert isinstance(load_tensor(tmp_path / "a.npy", kind="torch"), torch.Tensor)
    with pytest.raises(ValueError, match="kind"):
        load_tensor(tmp_path / "a.npy", kind="jax")


@needs_torch
def test_bfloat16_through_a_file(tmp_path):
    t = torch.tensor([1.0, 2.5], dtype=torch.bfloat16)
    save_tensor(tmp_path / "a.npy", t)
    assert torch.equal(load_tensor(tmp_path / "a.npy", kind="torch", raw_as="bf16"), t)
    save_tensor(tmp_path / "a.h5", t)
    assert torch.equal(load_tensor(tmp_path / "a.h5", kind="torch"), t)


def test_array_without_axes_stays_an_array(tmp_path):
    save_tensor(tmp_path / "a.npy", 2.5)
    assert load_tensor(tmp_path / "a.npy").shape == () and load_tensor(tmp_path / "a.npy") == 2.5


def test_errors_name_the_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.npy"):
        load_tensor(tmp_path / "nothing.npy")
    (tmp_path / "bad.npy").write_bytes(b"no array")
    with pytest.raises(OSError, match="bad.npy"):
        load_tensor(tmp_path / "bad.npy")
    with pytest.raises(ValueError, match="extension"):
        save_tensor(tmp_path / "a.txt", A)
    with pytest.raises(ValueError, match="several tensors"):
        save_tensors(tmp_path / "a.npy", {"x": A})
    with pytest.raises(OSError, match="missing"):
        save_tensor(tmp_path / "missing" / "a.npy", A)
    with pytest.raises(TypeError):
        load_tensor(3)


def test_paths_with_a_null_byte_are_refused(tmp_path):
    for use in (list_tensors, load_tensor, lambda path: save_tensor(path, A)):
        with pytest.raises(ValueError, match="null byte"):
            use(f"{tmp_path}/a.npy\0.npz")
    assert not list(tmp_path.iterdir())


def test_path_like_objects_and_odd_names(tmp_path):
    path = pathlib.Path(tmp_path) / "größe 1.npy"
    save_tensor(path, A)
    assert np.array_equal(load_tensor(bytes(path)), A)
