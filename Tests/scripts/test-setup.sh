#!/bin/sh
# Tests of scripts/setup, with stubs of Swift, the program and the system's tools.
. "$(dirname -- "$0")/lib.sh"
make_project
setup=$root/scripts/setup
last_line() { "$@" 2>&1 | tail -n 1; }

"$setup" 2>"$work/errors"
check 'ends well' equal $? 0
check 'installs no package without need' equal "$(count_calls apt-get)" 0
check 'prepares the models' equal "$(count_calls 'program models')" 1
check 'has the set retail' fails grep -q 'going on without' "$work/errors"
file=$root/.deps/pkgconfig/faceverify-deps.pc
check 'writes a pkg-config file' [ -s "$file" ]
check 'which pkg-config can read' equal "$(PKG_CONFIG_PATH=${file%/*} pkg-config --cflags-only-I faceverify-deps |
  grep -o '/a\\ project/.deps/openvino/include')" '/a\ project/.deps/openvino/include'
before=$(stat -c %i "$file")
"$setup" 2>"$work/errors"
check 'is repeatable' equal $? 0
check 'leaves the pkg-config file alone' equal "$(stat -c %i "$file")" "$before"
check 'leaves nothing unfinished' equal "$(find "$root" -name '*.new' -o -name '*.part')" ''

check 'builds zxing-cpp once' equal "$(count_calls 'cmake --build')" 1
check 'with its licence' [ -e "$root/.deps/zxing/LICENSE" ]
check 'and leaves nothing of the build' fails [ -e "$root/.deps/zxing.work" ]
echo other >>"$root/.deps/zxing/made"
line=$(CMAKE_ERROR='CMake Error: no compiler' last_line "$setup")
check 'says what cmake could not do' contains "$line" 'building zxing-cpp: failed: CMake Error: no compiler'
"$setup" 2>"$work/errors"
check 'builds zxing-cpp again that was not finished' equal "$?,$(count_calls 'cmake --build')" 0,2

"$setup" --from "$work/none" 2>"$work/errors"
check 'refuses a folder that is none' equal $? 2
"$setup" --other 2>"$work/errors"
check 'refuses an unknown option' equal $? 2

# The set retail: nothing listens on port 1.
kept=$(cat "$root/models/manifest.json")
cat >"$root/models/manifest.json" <<'END'
{"schema": 1, "packages": [], "samples": [], "runtime": {"package": "none", "files": [], "links": []},
"sets": {"retail": ["net"]}, "gains": {"retail": "half the misses"}, "models": [{"id": "net", "file": "net.bin", "size": 4,
"sha256": "a665a45920422f9d417e4867efdc4fb8a04a1f3fff1fa07e998e86f7f7a27ae3",
"source": {"url": "http://127.0.0.1:1/net.bin", "sha384": ""}}]}
END
"$setup" 2>"$work/errors"
check 'goes on without the set retail' equal $? 0
line=$(grep 'going on without' "$work/errors")
check 'says why' contains "$line" 'Connection refused'
check 'says what is lost' contains "$line" 'half the misses'
check 'says how to have it later' contains "$line" 'scripts/faceverify models install --set retail'
check 'and is ready' contains "$(tail -n 1 "$work/errors")" 'ready:'
check 'leaves no part of it' equal "$(find "$root" -name '*net.bin*')" ''
echo "$kept" >"$root/models/manifest.json"

# Ray
mkdir -p "$root/benchmarks"
echo 'ray==0' >"$root/benchmarks/ray-requirements.txt"
PIP_INDEX_URL=http://127.0.0.1:1 "$setup" --tests 2>"$work/errors"
check 'goes on without Ray' equal $? 0
check 'says so' contains "$(cat "$work/errors")" 'its tests are skipped'
check 'does not take it for installed' fails [ -e "$root/.deps/ray-venv/installed" ]
: >"$root/benchmarks/ray-requirements.txt"
"$setup" --tests 2>"$work/errors"
check 'has it, once it can be had' [ -e "$root/.deps/ray-venv/installed" ]
"$setup" --tests 2>"$work/errors"
check 'and does not install it again' fails grep -q Ray "$work/errors"

# Packages
MISSING=libpng-dev "$setup" 2>"$work/errors"
check 'installs what is missing, and only that' contains "$(cat "$calls")" \
  'apt-get install -y --no-install-recommends libpng-dev -o'
MISSING=golang-go "$setup" 2>"$work/errors"
check 'installs nothing for tests unless told to' fails grep -q golang-go "$calls"
MISSING=golang-go "$setup" --tests 2>"$work/errors"
check 'then it does' contains "$(cat "$calls")" '--no-install-recommends golang-go -o'
line=$(MISSING=libpng-dev APT_ERROR="E: Temporary failure resolving 'mirror'" last_line "$setup")
check 'says that there is no network' contains "$line" 'failed: no network;'
line=$(MISSING=libpng-dev APT_ERROR='E: Unable to locate package libpng-dev' last_line "$setup")
check 'says what apt-get could not do' contains "$line" 'E: Unable to locate package libpng-dev'
check 'and where the log is' contains "$line" "$root/.deps/log/apt.log"
line=$(MISSING=libpng-dev APT_ERROR="E: You don't have enough free space" last_line "$setup")
check 'says that there is no space for packages' contains "$line" 'no space left'

stub id <<'END'
echo 1000
END
stub sudo <<'END'
echo "sudo $1" >>"$calls"
exec "$@"
END
MISSING=git "$setup" 2>"$work/errors"
check 'uses sudo' equal "$(count_calls 'sudo bash')" 1
rm "$stubs/sudo"
# Only the tools that the script needs, and no sudo.
mkdir "$work/tools"
for tool in awk bash cat cmp cp cut date df dirname env find flock grep gzip head mkdir mv nproc pkg-config printf python3 \
  readlink rm sed sh sha256sum sleep tail tar tee touch uname wc; do
  ln -s "$(command -v $tool)" "$work/tools/$tool"
done
line=$(MISSING=git PATH=$stubs:$work/tools last_line "$setup")
check 'without sudo, says what to run' contains "$line" 'apt-get install -y --no-install-recommends git'
rm "$stubs/id"

# Swift
line=$(SWIFT_VERSION=6.1.2 last_line "$setup")
check 'refuses an old Swift' contains "$line" 'Swift 6.1 is too old'
SWIFT_VERSION=7.0 "$setup" 2>"$work/errors"
check 'takes a newer Swift' equal $? 0
mv "$stubs/swift" "$work/swift"
line=$(PATH=$stubs:$work/tools last_line "$setup")
check 'says where Swift is to be had' contains "$line" 'https://www.swift.org/install/linux'
mv "$work/swift" "$stubs/swift"

# The machine
stub uname <<'END'
echo aarch64
END
check 'names another architecture' contains "$(last_line "$setup")" 'aarch64'
rm "$stubs/uname"
stub df <<'END'
printf 'Filesystem 1M Used Available\n/dev/x 9000 8900 100 99%% /\n'
END
check 'wants space' contains "$(last_line "$setup")" 'about 500 MB needed, 100 MB free'
rm -rf "$root/.build"
check 'wants more space the first time' contains "$(last_line "$setup")" 'about 3000 MB needed, 100 MB free'
rm "$stubs/df"

# Failing steps
line=$(MODELS_EXIT=3 last_line "$setup")
check 'says that models could not be prepared' contains "$line" 'checking the models: failed'
echo '{' >"$root/models/manifest.json"
line=$(last_line "$setup")
check 'ends with the line of fetch.py' contains "$line" 'manifest.json is damaged'
check 'a failed set-up leaves no stamp of its own time' [ "$root/models/manifest.json" -nt "$root/.deps/stamp" ]
cp "$here/models/manifest.json" "$root/models/"
mkdir "$work/empty"
line=$(last_line "$setup" --from "$work/empty")
check 'passes --from on' contains "$line" "$work/empty lacks"
echo '{"schema": 1, "packages": [], "models": [], "runtime": {"files": [], "links": []}}' >"$root/models/manifest.json"

# Two at once
: >"$calls"
BUILD_SECONDS=1 "$setup" 2>"$work/first" &
sleep 0.3
"$setup" 2>"$work/second"
wait
check 'the second waits' contains "$(cat "$work/second")" 'waiting for another setup'
check 'builds do not overlap' equal "$(grep -E '^swift (build|built)' "$calls" | tr '\n' ,)" \
  'swift build,swift built,swift build,swift built,'

# SIGINT is sent to every process of the group.
touch "$root/Package.swift"
BUILD_SECONDS=30 python3 - "$setup" >"$work/output" <<'END'
import os, signal, subprocess, sys, time
setup = subprocess.Popen(
    sys.argv[1], stderr=subprocess.PIPE, text=True, start_new_session=True,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
for line in setup.stderr:
    if "building" in line:
        time.sleep(0.3)
        os.killpg(setup.pid, signal.SIGINT)
    print(line, end="")
print("exit code", setup.wait())
END
check 'interrupted: says so' contains "$(cat "$work/output")" 'interrupted; run it again'
check 'interrupted: exit code 130' equal "$(tail -n 1 "$work/output")" 'exit code 130'
"$setup" 2>"$work/errors"
check 'goes on after an interruption' equal $? 0

finish
