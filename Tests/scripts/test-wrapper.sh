#!/bin/sh
# Tests of scripts/faceverify and scripts/demo, with stubs of Swift and of the program.
. "$(dirname -- "$0")/lib.sh"
make_project
wrapper=$root/scripts/faceverify
cd "$work" || exit 1

answer=$("$wrapper" one 'two words' '' 2>"$work/errors")
check 'the exit code is passed on' equal $? 7
check 'arguments and folder are passed on after setup' equal "$answer" "$work|$root/models|one|two words||"
check 'the command is built once' equal "$(count_calls 'swift build')" 1

answer=$("$wrapper" again 2>&1)
check 'the wrapper prints nothing of its own' equal "$answer" "$work|$root/models|again|"
check 'a second run does not build' equal "$(count_calls swift)" 3

mkdir "$work/else where" "$work/bin"
ln -s "$wrapper" "$work/bin/faceverify"
ln -s faceverify "$work/bin/fv"
cd "$work/else where" || exit 1
check 'the wrapper works from any folder' equal "$("$wrapper" x)" "$work/else where|$root/models|x|"
check 'the wrapper works by a relative path' equal "$('../a project/scripts/faceverify' x)" "$work/else where|$root/models|x|"
check 'the wrapper works through links' equal "$(../bin/fv x)" "$work/else where|$root/models|x|"
check 'the wrapper works from PATH' equal "$(PATH=$work/bin:$PATH; fv x)" "$work/else where|$root/models|x|"
check 'FACEVERIFY_MODELS is kept' equal "$(FACEVERIFY_MODELS=/other "$wrapper" x)" "$work/else where|/other|x|"
check 'no run built again' equal "$(count_calls 'swift build')" 1

# Changes that require a new setup
builds=1
rebuilds() {
  "$wrapper" x >/dev/null 2>&1
  builds=$((builds + 1))
  equal "$(count_calls 'swift build')" $builds
}
touch "$root/Sources/Part/File.swift"
check 'a changed source is built' rebuilds
rm "$root/Sources/Part/File.swift"
check 'a removed source causes a build' rebuilds
touch "$root/Package.swift"
check 'a changed package causes a build' rebuilds
touch "$root/models/manifest.json"
check 'a changed manifest causes a setup' rebuilds
rm "$root/.build/release/faceverify"
check 'a missing program causes a build' rebuilds
"$wrapper" x >/dev/null 2>&1
check 'the next run does not build' equal "$(count_calls 'swift build')" $builds
mv "$root" "$work/moved"
root=$work/moved
wrapper=$root/scripts/faceverify
check 'a moved folder causes a build' rebuilds
touch "$root/Package.swift"
(sleep 0.3; touch "$root/Sources/Part") &
BUILD_SECONDS=1 "$wrapper" x >/dev/null 2>&1
builds=$((builds + 1))
wait
check 'a change during the build causes another build' rebuilds

# Failures
touch "$root/Package.swift"
answer=$(BUILD_ERROR='/x/File.swift:1:2: error: no such thing' "$wrapper" x 2>&1)
check 'a failing build has exit code 3' equal $? 3
check 'the last line has the reason' contains "$(echo "$answer" | tail -n 1)" 'error: no such thing'
check 'the last line names the log' contains "$(echo "$answer" | tail -n 1)" "$root/.deps/log/build.log"
builds=$((builds + 1))
check 'a failed setup is repeated' rebuilds

# The demo
answer=$("$wrapper" demo "$work/new folder" 2>&1)
check 'the demo succeeds' equal $? 0
check 'the demo names its output' contains "$answer" "$work/new folder/demo.png"
answer=$(OTHER_EXIT=0 "$wrapper" demo 2>&1)
check 'the demo detects a wrong result' equal $? 3

finish
