"""Tests of scripts/layers on small trees of one table and a few files."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "layers"
TABLE = """
| folder | holds | may include |
|---|---|---|
| `trntensor/base/` | ground | nothing of ours |
| `trntensor/middle/` | floor | base |
| `trntensor/device/{ir,sim,run}/` | machine | ir: base; sim, run: middle |
| `trntensor/top/` | roof | middle, device/{ir,sim} |
| `cli/` | door | middle |
| `bench/`, `tests/` | others | everything; nothing includes them |
"""


class Layers(unittest.TestCase):
    def check(self, files, table=TABLE):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {"docs/architecture.md": table, **files}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout + done.stderr

    def include(self, file, target):
        return self.check({file: f"// text\n#include {target}\n"})

    def test_accepts_what_the_table_allows(self):
        for file, target in [
            ("trntensor/middle/a.cpp", '"trntensor/base/b.hpp"'),
            ("trntensor/middle/a.cpp", '"trntensor/middle/b.hpp"'),
            ("trntensor/top/a.cpp", '"trntensor/base/b.hpp"'),
            ("trntensor/top/a.cpp", '"trntensor/device/sim/b.hpp"'),
            ("trntensor/base/a.hpp", '"trntensor/version.hpp"'),
            ("trntensor/base/a.hpp", "<vector>"),
            ("trntensor/all.hpp", '"trntensor/top/b.hpp"'),
            ("cli/main.cpp", '"trntensor/base/b.hpp"'),
            ("cli/main.cpp", '"cli/b.hpp"'),
            ("tests/main.cpp", '"trntensor/top/b.hpp"'),
        ]:
            with self.subTest(file=file, target=target):
                self.assertEqual(self.include(file, target)[0], 0)

    def test_refuses_what_the_table_does_not_name(self):
        for file, target, message in [
            ("trntensor/base/a.hpp", '"trntensor/middle/b.hpp"', "base may not include middle"),
            ("trntensor/base/a.hpp", "<trntensor/middle/b.hpp>", "base may not include middle"),
            ("trntensor/base/a.hpp", ' "trntensor/middle/b.hpp"  // why', "base may not include middle"),
            ("trntensor/device/ir/a.cpp", '"trntensor/middle/b.hpp"', "device/ir may not include middle"),
            ("trntensor/top/a.cpp", '"trntensor/device/run/b.hpp"', "top may not include device/run"),
            ("trntensor/top/a.cpp", '"trntensor/trntensor.hpp"', "belongs to no folder"),
            ("trntensor/top/a.cpp", '"cli/b.hpp"', "top may not include cli"),
            ("trntensor/top/a.cpp", '"tests/b.hpp"', "top may not include tests"),
            ("cli/main.cpp", '"trntensor/top/b.hpp"', "cli may not include top"),
        ]:
            with self.subTest(file=file, target=target):
                status, output = self.include(file, target)
                self.assertEqual(status, 1, output)
                self.assertIn(f"{file}:2: ", output)
                self.assertIn(message, output)

    def test_refuses_a_folder_without_a_row(self):
        status, output = self.check({"trntensor/cellar/a.hpp": ""})
        self.assertEqual(status, 1)
        self.assertIn("trntensor/cellar/a.hpp:1: its folder has no row", output)

    def test_refuses_a_path_that_is_not_the_path_in_the_repository(self):
        status, output = self.check({"trntensor/base/a.cpp": '#include "b.hpp"\n', "trntensor/base/b.hpp": ""})
        self.assertEqual(status, 1)
        self.assertIn('write "trntensor/base/b.hpp"', output)

    def test_reports_a_table_it_cannot_read(self):
        for table, message in [
            ("no table", "has no table"),
            (TABLE.replace("| base |", "| cellar |"), 'middle include "cellar", which has no row'),
            (TABLE.replace("nothing of ours", "middle"), "has a circle: base -> middle -> base"),
            (TABLE.replace("ir: base", "id: base"), '"id" in'),
        ]:
            with self.subTest(message=message):
                status, output = self.check({"trntensor/base/a.hpp": ""}, table)
                self.assertEqual(status, 2)
                self.assertIn(message, output)


if __name__ == "__main__":
    unittest.main()
