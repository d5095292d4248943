#!/bin/sh
# Tests of scripts/test: it counts the runners' results, and fails if one of them does.
. "$(dirname -- "$0")/lib.sh"
make_project
runner=$root/scripts/test

# A stub that also handles `swift test`.
mv "$stubs/swift" "$stubs/swift-setup"
stub swift <<'END'
case "$1 $*" in
  test*)
    echo "test $* models $FACEVERIFY_MODELS" >>"$calls"
    [ ! -f "$root/../needs" ] || cp "$root/../needs" "$FACEVERIFY_TEST_NEEDS"
    cat "$root/../swift-output"; exit "${TEST_EXIT:-0}"
    ;;
  *'--product faceverifyPackageTests') exit "${BUILD_TESTS_EXIT:-0}" ;;
  *) exec swift-setup "$@" ;;
esac
END
good() {
  cat >"$work/swift-output" <<'END'
Test Case 'X.testY' passed (0.0 seconds)
Test Case 'X.testZ' skipped (0.0 seconds)
	 Executed 2 tests, with 1 test skipped and 0 failures (0 unexpected) in 0.002 (0.002) seconds
✔ Test a() passed after 0.001 seconds.
➜ Test c() skipped: "why"
✔ Test run with 3 tests in 1 suite passed after 0.001 seconds.
END
}
good
cat >"$root/Tests/python/test_one.py" <<'END'
import os, unittest
class One(unittest.TestCase):
    def test_a(self): pass
    def test_b(self): self.assertFalse("PYTHON_FAILS" in os.environ)
    @unittest.skip("why")
    def test_c(self): pass
END
cat >"$root/Tests/scripts/test-one.sh" <<'END'
#!/bin/sh
[ -n "$SCRIPT_DIES" ] && exit 0
echo "4 passed, ${SCRIPT_FAILS:-0} failed"
[ -z "$SCRIPT_FAILS" ]
END
chmod +x "$root/Tests/scripts/test-one.sh"
printf '#!/bin/sh\n[ "$BAD_PART" != servers ] || exit 1\necho "1 passed, 0 failed"\n' >"$root/Tests/run-modules"
chmod +x "$root/Tests/run-modules"
for part in install c examples; do
  mkdir -p "$root/Tests/$part"
  printf '#!/bin/sh\n[ "$BAD_PART" != %s ] || exit 1\necho "1 passed, 0 failed"\n' $part >"$root/Tests/$part/run"
  chmod +x "$root/Tests/$part/run"
done
sed 's/!= c /!= threads /' "$root/Tests/c/run" >"$root/Tests/c/run-threads"
chmod +x "$root/Tests/c/run-threads"
printf '#!/bin/sh\n' >"$root/scripts/generate-bindings"
chmod +x "$root/scripts/generate-bindings"
mkdir -p "$root/bindings/go"
mkdir -p "$root/bindings/python/tests"
printf 'import unittest\nclass Two(unittest.TestCase):\n    def test_d(self): pass\n' >"$root/bindings/python/tests/test_two.py"
mv "$stubs/cmake" "$stubs/cmake-setup"
stub cmake <<'END'
[ "${CMAKE_EXIT:-0}" = 0 ] || exit "$CMAKE_EXIT"
exec cmake-setup "$@"
END
stub go <<'END'
[ "$1" = test ] || exit 0
[ -z "$GO_DIES" ] || exit 2
echo '--- PASS: TestA (0.00s)'
echo '    --- PASS: TestA/part (0.00s)'
echo '--- SKIP: TestB (0.00s)'
[ -z "$GO_FAILS" ] || { echo '--- FAIL: TestC (0.00s)'; echo FAIL; exit 1; }
printf 'ok  \tfaceverify\t0.1s\n'
END
# Ray counts as installed: `python3 -m venv` would take seconds in each run.
mkdir -p "$root/.deps/ray-venv/bin" "$root/benchmarks"
touch "$root/benchmarks/ray-requirements.txt" "$root/.deps/ray-venv/installed"
printf '#!/bin/sh\necho "Ran 0 tests in 0s"\n' >"$root/.deps/ray-venv/bin/python"
chmod +x "$root/.deps/ray-venv/bin/python"
last_line() { "$@" 2>&1 | tail -n 1; }

"$runner" >"$work/output" 2>&1
check 'a run succeeds' equal $? 0
check 'every runner is counted' equal "$(tail -n 1 "$work/output")" '15 passed, 0 failed, 4 skipped'

PYTHON_FAILS=1 "$runner" >"$work/output" 2>&1
check 'a failing Python test fails the run' equal $? 1
check 'the failing Python test is counted' equal "$(tail -n 1 "$work/output")" '14 passed, 1 failed, 4 skipped'
SCRIPT_FAILS=2 "$runner" >"$work/output" 2>&1
check 'a failing script test fails the run' equal $? 1
check 'the failing script test is counted' equal "$(tail -n 1 "$work/output")" '15 passed, 2 failed, 4 skipped'
SCRIPT_DIES=1 "$runner" >"$work/output" 2>&1
check 'a runner without a closing line fails the run' equal $? 1
check 'without a closing line, nothing is counted' contains "$(tail -n 1 "$work/output")" 'test-one (no closing line)'
check 'failing Go tests are counted' equal "$(GO_FAILS=1 last_line "$runner")" '15 passed, 1 failed, 4 skipped'
check 'Go tests that do not run fail the run' contains "$(GO_DIES=1 last_line "$runner")" 'go (no closing line)'
check 'C tests without a closing line fail the run' contains "$(BAD_PART=c last_line "$runner")" ': c (no closing line)'
check 'thread sanitizer tests without a closing line fail the run' contains "$(BAD_PART=threads last_line "$runner" --long)" 'threads (no closing line)'
check 'server tests without a closing line fail the run' contains "$(BAD_PART=servers last_line "$runner")" 'servers (no closing line)'
check 'a library that is not installed fails the run' contains "$(CMAKE_EXIT=1 last_line "$runner")" 'install-library (exit code 1)'
BUILD_TESTS_EXIT=1 "$runner" >"$work/output" 2>&1
check 'a failing build of the tests fails the run' equal $? 1
TEST_EXIT=1 "$runner" >"$work/output" 2>&1
check 'an exit code counts, for any closing line' equal $? 1

cat >>"$work/swift-output" <<'END'
Test Case 'X.testX' failed (0.001 seconds)
	 Executed 3 tests, with 1 test skipped and 1 failure (0 unexpected) in 0.002 (0.002) seconds
✘ Test b() recorded an issue at T.swift:4:18: Expectation failed: (1 + 1 → 2) == 3
✘ Test b() failed after 0.001 seconds with 1 issue.
✘ Test run with 4 tests in 1 suite failed after 0.001 seconds with 1 issue.
END
check 'failing Swift tests are counted' equal "$(TEST_EXIT=1 last_line "$runner")" '15 passed, 2 failed, 4 skipped'

good
printf 'met\tmodels\ta()\tinstall them\nmissing\tshared data\tc()\tname their folder\nmissing\tmodels\tc()\tinstall them\n' \
  >"$work/needs"
: >"$calls"
"$runner" --no-models >"$work/output" 2>&1
check 'a run without models succeeds' equal $? 0
check 'a run without models fetches none' fails grep -q 'program models' "$calls"
check 'a run without models finds none' contains "$(grep ^test "$calls")" "models $root/.deps/none"
check 'a run without models omits the installed library' equal "$(tail -n 1 "$work/output")" '10 passed, 0 failed, 3 skipped'
check 'the requirements of tests are listed' equal \
  "$(tac "$work/output" | sed '/^Swift tests need/q' | tac | sed '$d; s/  */ /g; s/ $//')" \
  'Swift tests need ran skipped how to get it
models 1 1 install them
nothing of these 1 0
shared data 0 1 name their folder'
rm "$work/needs"

: >"$calls"
line=$(last_line "$runner" --sanitize=address --filter Mesh)
check 'a sanitizer runs only Swift tests' equal "$line" '3 passed, 0 failed, 2 skipped'
check 'sanitizer and pattern are passed on' contains "$(grep ^test "$calls")" \
  '--sanitize=address --skip-build --filter Mesh'
check 'a sanitizer has a separate build folder' contains "$(grep ^test "$calls")" "$root/.build/address"
"$runner" --sanitize=memory >"$work/output" 2>&1
check 'an unknown sanitizer is rejected' equal $? 2
"$runner" --filter >"$work/output" 2>&1
check 'a filter without a pattern is rejected' equal $? 2

finish
