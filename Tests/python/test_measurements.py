"""scripts/measurements: from recordings to documentation and sources."""
import csv
import importlib.machinery
import importlib.util
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def module():
    loader = importlib.machinery.SourceFileLoader("measurements", str(ROOT / "scripts/measurements"))
    found = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(found)
    return found


class MeasurementsTests(unittest.TestCase):
    def test_documentation_and_sources_match_the_measurements(self):
        measurements = module()
        for path, text in measurements.written(measurements.read()).items():
            self.assertEqual(path.read_text(), text, f"{path.name}: run scripts/measurements write")

    def test_details_of_an_evaluation_replace_earlier_ones(self):
        measurements = module()
        with tempfile.TemporaryDirectory() as folder:
            measurements.TABLE = Path(folder) / "table.csv"
            details = Path(folder) / "details.csv"
            head = ["path", "label", "simulated", "source", "policy", "result", "moire", "moire-value"]
            for value in ("1.5", "2.5"):
                with open(details, "w", newline="") as file:
                    csv.writer(file).writerows([
                        head, ["a/one.mp4", "live", "no", "lab", "passive-only", "live", "passed", value],
                        ["a/two.mp4", "replay", "no", "lab", "passive-only", "presentation-attack", "failed", "40"]])
                measurements.take(details, measurements.AS_THEY_ARE)
            rows = measurements.read()
            self.assertEqual([(row["clip"], row["value"]) for row in rows], [("one", "2.5"), ("two", "40")])
            self.assertEqual(
                measurements.signal_table(rows)[2], "| `moire` | 2.5 | 1 of 1 | 40 | 1 of 1, **1 failed** |")
            self.assertEqual(
                [line for line in measurements.signal_sources(rows) if "moire" in line],
                ['  .moire: "1 living 2.5, 1 replayed 40",'])
            self.assertEqual(
                measurements.policy_table(rows)[2:],
                ["| `passive-only` | as recorded | live | 1 of 1 | 2.5-100.0 % |",
                 "| `passive-only` | as recorded | replay | 0 of 1 | 0.0-97.5 % |"])

    def test_each_encoding_has_its_worst_clip(self):
        measurements = module()
        with tempfile.TemporaryDirectory() as folder:
            measurements.ENCODED = Path(folder) / "encoded.csv"
            details = Path(folder) / "details.csv"
            head = ["path", "label", "result", "moire", "moire-value", "texture", "texture-value", "planarity", "planarity-value"]
            for value in ("13", "2.5"):
                with open(details, "w", newline="") as file:
                    csv.writer(file).writerows([
                        head, ["vp8-12-480/one.mkv", "live", "live", "passed", value, "passed", "0.3", "not-checked", ""],
                        ["vp8-30-0/two.mkv", "live", "presentation-attack", "failed", "40", "not-checked", "", "not-checked", ""],
                        ["vp8-30-0/r.mkv", "replay", "presentation-attack", "passed", "50", "failed", "0.1", "not-checked", ""]])
                measurements.take_encoded([details])
            rows = measurements.read_encoded()
            self.assertEqual([(row["clip"], row["moire"], row["failed"]) for row in rows],
                             [("one", "2.5", ""), ("r", "50", "texture"), ("two", "40", "moire")])
            self.assertNotIn("planarity", rows[0])
            table = [[cell.strip() for cell in line.split("|")[1:7]] for line in measurements.encoding_table()[4:]]
            self.assertEqual(table[0], ["VP8", "2", "1 of 2", "0 of 1", "0.3 (1)", "40"])
            self.assertEqual([row[0] for row in table], ["VP8", "12", "30", "size as recorded", "480 lines", "**all**"])

    def test_bounds_are_exact(self):
        low, high = module().exact(13, 573)
        self.assertAlmostEqual(low, 0.0121342, 6)  # beta.ppf of SciPy
        self.assertAlmostEqual(high, 0.0384840, 6)

    def test_unreadable_input_is_an_error(self):
        measurements = module()
        with tempfile.TemporaryDirectory() as folder:
            measurements.TABLE = Path(folder) / "table.csv"
            details = Path(folder) / "details.csv"
            details.write_text("path,label,simulated,source,policy,result\nx.mp4,live,no,,photo,unreadable\n")
            with self.assertRaises(SystemExit):
                measurements.take(details, "photos")
            self.assertFalse(measurements.TABLE.exists())


if __name__ == "__main__":
    unittest.main()
