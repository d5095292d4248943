"""scripts/coverage: from the list of rows and the tests to docs/coverage.md."""
import importlib.machinery
import importlib.util
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMENT = "Rows" + ":"  # not itself a comment that names rows


def module():
    loader = importlib.machinery.SourceFileLoader("coverage", str(ROOT / "scripts/coverage"))
    found = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(found)
    return found


class CoverageTests(unittest.TestCase):
    def test_every_row_has_a_test_or_a_substitute(self):
        text, wrong = module().made(ROOT)
        self.assertEqual(wrong, [])
        self.assertEqual((ROOT / "docs/coverage.md").read_text(), text, "run scripts/coverage write")

    def test_tests_of_every_language_are_found(self):
        tests, wrong = module().collect({
            "a.swift": f'  // {COMMENT} A B\n  @Test("is \\"so\\"", .needs)\n  func a() {{}}\n'
                       f"// {COMMENT} C\n@Test(\n  \"is long\",\n  arguments: [1])\nfunc c(_: Int) {{}}\n"
                       f"// {COMMENT} A\n// {COMMENT} D\n@Test(arguments: [1]) func `a name`(_: Int) {{}}\n",
            "b.c": f"/* What. */\n/* {COMMENT} A */\nstatic void is_c(void) {{\n",
            "c.py": f"    # {COMMENT} A\n    def test_is_python(self):\n",
            "d.go": f"// {COMMENT} A\nfunc TestIsGo(t *testing.T) {{\n",
            "e.sh": f"# {COMMENT} A\ncheck 'is shell' true\n  # {COMMENT} B\n  check \"${{file##*/}} is $one shell\" true\n",
        })  # fmt: skip
        self.assertEqual(wrong, [])
        self.assertEqual(tests["A"], {"a.a", "a.a name", "b.is_c", "c.test_is_python", "d.TestIsGo", "e.sh"})
        self.assertEqual(tests["B"], {"a.a", "e.sh"})
        self.assertEqual((tests["C"], tests["D"]), ({"a.c"}, {"a.a name"}))

    def test_gaps_are_named(self):
        coverage = module()
        tests, misplaced = coverage.collect({"a.py": f"x = 1\n# {COMMENT} A\n\ndef test_a(self):\n"})
        self.assertEqual((tests, misplaced), ({}, ["a.py:2: not directly above a test"]))
        groups, twice = coverage.read(["row\tasked\tinstead", "# One", "A\tIs it?", "B\tIs it?\tNo.", "A\tAgain."])
        self.assertEqual(twice, ["A is in the list twice"])
        self.assertEqual(
            coverage.gaps(groups, {"B": {"b.is_b"}, "X": {"b.is_b"}}),
            ["A has neither a test nor a substitute", "b.is_b: X is not in docs/coverage.tsv"])  # fmt: skip

    def test_the_page_has_every_row(self):
        coverage = module()
        groups, _ = coverage.read(["row\tasked\tinstead", "# One", "A\tIs it?", "B\tOr not?\tNo."])
        text = coverage.page(groups, {"A": {"b.is_b", "a.is_a"}})
        self.assertIn("Of 2 rows 1 have tests.", text)
        self.assertEqual(text.split("## One\n\n")[1].splitlines()[2:], ["|A|a.is_a, b.is_b|", "|B*||"])


if __name__ == "__main__":
    unittest.main()
