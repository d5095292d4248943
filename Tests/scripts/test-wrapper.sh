#!/bin/sh
# Tests of scripts/faceverify and scripts/demo, with stubs of Swift and of the program.
. "$(dirname -- "$0")/lib.sh"
make_project
wrapper=$root/scripts/faceverify
cd "$work" || exit 1

answer=$("$wrapper" one 'two words' '' 2>"$work/errors")
check 'passes the exit code on' equal $? 7
check 'sets up, then passes arguments and folder on' equal "$answer" "$work|$root/models|one|two words||"
check 'built once' equal "$(count_calls 'swift build')" 1

answer=$("$wrapper" again 2>&1)
check 'says nothing of its own when nothing is to be done' equal "$answer" "$work|$root/models|again|"
check 'does not build again' equal "$(count_calls swift)" 3

mkdir "$work/else where" "$work/bin"
ln -s "$wrapper" "$work/bin/faceverify"
ln -s faceverify "$work/bin/fv"
cd "$work/else where" || exit 1
check 'works from any folder' equal "$("$wrapper" x)" "$work/else where|$root/models|x|"
check 'works by a relative path' equal "$('../a project/scripts/faceverify' x)" "$work/else where|$root/models|x|"
check 'works through links' equal "$(../bin/fv x)" "$work/else where|$root/models|x|"
check 'works from PATH' equal "$(PATH=$work/bin:$PATH; fv x)" "$work/else where|$root/models|x|"
check 'keeps FACEVERIFY_MODELS' equal "$(FACEVERIFY_MODELS=/other "$wrapper" x)" "$work/else where|/other|x|"
check 'still not built again' equal "$(count_calls 'swift build')" 1

# Changes that require a new setup
builds=1
rebuilds() {
  "$wrapper" x >/dev/null 2>&1
  builds=$((builds + 1))
  equal "$(count_calls 'swift build')" $builds
}
touch "$root/Sources/Part/File.swift"
check 'builds after a change' rebuilds
rm "$root/Sources/Part/File.swift"
check 'builds after a removal' rebuilds
touch "$root/Package.swift"
check 'builds after a change of the package' rebuilds
touch "$root/models/manifest.json"
check 'sets up after a change of the manifest' rebuilds
rm "$root/.build/release/faceverify"
check 'builds when the program is gone' rebuilds
"$wrapper" x >/dev/null 2>&1
check 'and not without need' equal "$(count_calls 'swift build')" $builds
mv "$root" "$work/moved"
root=$work/moved
wrapper=$root/scripts/faceverify
check 'builds after the folder has moved' rebuilds
touch "$root/Package.swift"
(sleep 0.3; touch "$root/Sources/Part") &
BUILD_SECONDS=1 "$wrapper" x >/dev/null 2>&1
builds=$((builds + 1))
wait
check 'builds after a change during the build' rebuilds

# Failures
touch "$root/Package.swift"
answer=$(BUILD_ERROR='/x/File.swift:1:2: error: no such thing' "$wrapper" x 2>&1)
check 'a failing build gives exit code 3' equal $? 3
check 'its last line says why' contains "$(echo "$answer" | tail -n 1)" 'error: no such thing'
check 'its last line names the log' contains "$(echo "$answer" | tail -n 1)" "$root/.deps/log/build.log"
builds=$((builds + 1))
check 'a failed set-up is tried again' rebuilds

# The demo
answer=$("$wrapper" demo "$work/new folder" 2>&1)
check 'demo ends well' equal $? 0
check 'demo says what it wrote' contains "$answer" "$work/new folder/demo.png"
answer=$(OTHER_EXIT=0 "$wrapper" demo 2>&1)
check 'demo notices a wrong answer' equal $? 3

# 50 starts with and without the wrapper
start() { i=0; while [ $i -lt 50 ]; do "$@" >/dev/null; i=$((i + 1)); done; }
now() { date +%s%N; }
cp -R "$here/Sources" "$root/" && "$wrapper" x >/dev/null 2>&1
begin=$(now); start "$root/.build/release/faceverify" x; middle=$(now); start "$wrapper" x; end=$(now)
added=$(((end - middle - (middle - begin)) / 50000))
echo "the wrapper adds $added microseconds to a start"
check 'adds less than 20 ms' [ $added -lt 20000 ]

finish
