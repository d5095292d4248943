#!/bin/sh
# Tests of scripts/test: it counts the runners' results, and fails if one of them does.
. "$(dirname -- "$0")/lib.sh"
make_project
runner=$root/scripts/test

# A stub that also builds the program of the Swift tests.
mv "$stubs/swift" "$stubs/swift-setup"
cat >"$work/bundle" <<'END'
#!/bin/sh
echo "test $0 $* models $FACEVERIFY_MODELS" >>"$calls"
[ ! -f "$root/../needs" ] || cp "$root/../needs" "$FACEVERIFY_TEST_NEEDS"
while [ $# != 0 ]; do
  [ "$1" != --xunit-output ] || results=$2
  shift
done
[ -n "$SWIFT_DIES" ] || printf '<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="TestResults" errors="0" tests="%d" failures="%d" skipped="1" time="0.1">
  </testsuite>
</testsuites>\n' $((3 + ${SWIFT_FAILS:-0})) "${SWIFT_FAILS:-0}" >"$results"
exit "${TEST_EXIT:-0}"
END
chmod +x "$work/bundle"
stub swift <<'END'
case "$*" in
  *'--product faceverifyPackageTests')
    [ -z "$BUILD_TESTS_EXIT" ] || exit "$BUILD_TESTS_EXIT"
    echo "build $*" >>"$calls"
    while [ "$1" != --scratch-path ]; do shift; done
    mkdir -p "$2/release" && cp "$root/../bundle" "$2/release/faceverifyPackageTests.xctest"
    ;;
  *) exec swift-setup "$@" ;;
esac
END
cat >"$root/Tests/scripts/test-one.sh" <<'END'
#!/bin/sh
[ -n "$SCRIPT_DIES" ] && exit 0
echo "4 passed, ${SCRIPT_FAILS:-0} failed"
[ -z "$SCRIPT_FAILS" ]
END
cat >"$root/Tests/run-modules" <<'END'
import os, sys
part = os.path.basename([word for word in sys.argv[1:] if word != "--long"][0])
if os.environ.get("BAD_PART") == part: sys.exit(1)
bad = int(os.environ.get("MODULES_FAIL") == part)
print(f"{2 - bad} passed, {bad} failed, 1 skipped")
sys.exit(bad)
END
sed -i '1i #!/usr/bin/python3' "$root/Tests/run-modules"
for part in install c examples; do
  mkdir -p "$root/Tests/$part"
  printf '#!/bin/sh\n[ "$BAD_PART" != %s ] || exit 1\necho "1 passed, 0 failed"\n' $part >"$root/Tests/$part/run"
done
sed 's/!= c /!= threads /' "$root/Tests/c/run" >"$root/Tests/c/run-threads"
printf '#!/bin/sh\n' >"$root/scripts/generate-bindings"
chmod +x "$root"/Tests/scripts/test-one.sh "$root"/Tests/run-modules "$root"/Tests/*/run "$root/Tests/c/run-threads" \
  "$root/scripts/generate-bindings"
mkdir -p "$root/bindings/go" "$root/bindings/python/tests"
mv "$stubs/cmake" "$stubs/cmake-setup"
stub cmake <<'END'
[ "${CMAKE_EXIT:-0}" = 0 ] || exit "$CMAKE_EXIT"
exec cmake-setup "$@"
END
stub go <<'END'
[ "$1" = test ] || exit 0
[ -z "$GO_DIES" ] || exit 2
echo '{"Action":"pass","Package":"faceverify","Test":"TestA/part","Elapsed":0}'
echo '{"Action":"pass","Package":"faceverify","Test":"TestA","Elapsed":0}'
echo '{"Action":"skip","Package":"faceverify","Test":"TestB","Elapsed":0}'
[ -z "$GO_FAILS" ] || { echo '{"Action":"fail","Package":"faceverify","Test":"TestC","Elapsed":0}'; exit 1; }
END
last_line() { "$@" 2>&1 | tail -n 1; }

"$runner" >"$work/output" 2>&1
check 'a run succeeds' equal $? 0
check 'every runner is counted' equal "$(tail -n 1 "$work/output")" '15 passed, 0 failed, 5 skipped'
check 'the seconds of each step are listed' contains "$(sed 's/  */ /g' "$work/output")" 'step seconds'

MODULES_FAIL=python "$runner" >"$work/output" 2>&1
check 'a failing Python test fails the run' equal $? 1
check 'the failing Python test is counted' equal "$(tail -n 1 "$work/output")" '14 passed, 1 failed, 5 skipped'
check 'failing script tests are counted' equal "$(SCRIPT_FAILS=2 last_line "$runner")" '15 passed, 2 failed, 5 skipped'
check 'failing Go tests are counted' equal "$(GO_FAILS=1 last_line "$runner")" '15 passed, 1 failed, 5 skipped'
check 'failing Swift tests are counted' equal "$(SWIFT_FAILS=1 TEST_EXIT=1 last_line "$runner")" \
  '15 passed, 1 failed, 5 skipped'
SCRIPT_FAILS=2 "$runner" >"$work/output" 2>&1
check 'a failing script test fails the run' equal $? 1
TEST_EXIT=1 "$runner" >"$work/output" 2>&1
check 'an exit code counts, for any result' equal $? 1

# dies NAME VARIABLE=VALUE [OPTION]: a runner without a result fails the run, which names it
dies() {
  check "$1 without a result fails the run" equal "$(env "$2" "$runner" $3 >"$work/output" 2>&1; echo $?)" 1
  check "$1 without a result is named" contains "$(cat "$work/output")" "did not end well: $1 (no result)"
}
dies test-one SCRIPT_DIES=1
dies swift SWIFT_DIES=1
dies c BAD_PART=c
dies servers BAD_PART=server
dies threads BAD_PART=threads --long
GO_DIES=1 "$runner" >"$work/output" 2>&1
check 'Go tests that do not run fail the run' equal $? 1
CMAKE_EXIT=1 "$runner" >"$work/output" 2>&1
check 'a library that is not installed fails the run' equal $? 1
BUILD_TESTS_EXIT=1 "$runner" >"$work/output" 2>&1
check 'a failing build fails the run' equal $? 1

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
shared data 0 1 name their folder'
rm "$work/needs"

: >"$calls"
check 'a sanitizer runs only Swift tests' equal "$(last_line "$runner" --sanitize=address --filter Mesh)" \
  '2 passed, 0 failed, 1 skipped'
check 'the sanitizer is passed on' contains "$(grep ^build "$calls")" '--sanitize=address'
check 'the pattern is passed on' contains "$(grep ^test "$calls")" '--filter Mesh'
check 'a sanitizer has a separate build folder' contains "$(grep ^test "$calls")" "$root/.build/address"
"$runner" --sanitize=memory >"$work/output" 2>&1
check 'an unknown sanitizer is rejected' equal $? 2
"$runner" --filter >"$work/output" 2>&1
check 'a filter without a pattern is rejected' equal $? 2

finish
