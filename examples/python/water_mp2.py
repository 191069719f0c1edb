"""The MP2 correlation energy of water from integrals on disk, beside that of an independent program.

usage: water_mp2.py EXAMPLES_DATA
"""
import json
import pathlib
import sys

import trntensor

folder = pathlib.Path(sys.argv[1]) / "water_cc-pvdz"
reference = json.loads((folder / "reference.json").read_text(encoding="utf-8"))["reference"]["frozen_core"]
eri, c_occ, c_vir, eps_occ, eps_vir = (
    trntensor.load_tensor(folder, name) for name in ("eri", "C_occ", "C_vir", "eps_occ", "eps_vir")
)

b = trntensor.ao_to_mo_transform(eri, c_occ, c_vir)
energies = trntensor.mp2_energies(b, eps_occ, eps_vir, n_frozen=1, pairs=True)
print("correlation energy:", energies["correlation_energy"], "Hartree")
print("opposite spin:     ", energies["opposite_spin"])
print("same spin:         ", energies["same_spin"])
print("reference:         ", reference["e_corr"])
assert abs(energies["correlation_energy"] - reference["e_corr"]) < 1e-8
assert abs(energies["pair_energies"].sum() - energies["correlation_energy"]) < 1e-12
