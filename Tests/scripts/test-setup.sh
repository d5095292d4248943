#!/bin/sh
# Tests of scripts/setup, with stubs of Swift, the program and the system's tools.
. "$(dirname -- "$0")/lib.sh"
make_project
setup=$root/scripts/setup
last_line() { "$@" 2>&1 | tail -n 1; }

"$setup" 2>"$work/errors"
check 'setup succeeds' equal $? 0
check 'no package is installed without need' equal "$(count_calls apt-get)" 0
check 'the models are prepared' equal "$(count_calls 'program models')" 1
check 'the set retail is installed' fails grep -q 'going on without' "$work/errors"
file=$root/.deps/pkgconfig/faceverify-deps.pc
check 'a pkg-config file is written' [ -s "$file" ]
check 'pkg-config reads that file' equal "$(PKG_CONFIG_PATH=${file%/*} pkg-config --cflags-only-I faceverify-deps |
  grep -o '/a\\ project/.deps/openvino/include')" '/a\ project/.deps/openvino/include'
before=$(stat -c %i "$file")
"$setup" 2>"$work/errors"
check 'setup is repeatable' equal $? 0
check 'a second setup does not change the pkg-config file' equal "$(stat -c %i "$file")" "$before"
check 'no unfinished stamp remains' equal "$(find "$root" -name '*.new' -o -name '*.part')" ''

check 'zxing-cpp is built once' equal "$(count_calls 'cmake --build')" 1
check 'the licence of zxing-cpp is kept' [ -e "$root/.deps/zxing/LICENSE" ]
check 'no build folder of zxing-cpp remains' fails [ -e "$root/.deps/zxing.work" ]
echo other >>"$root/.deps/zxing/made"
line=$(CMAKE_ERROR='CMake Error: no compiler' last_line "$setup")
check 'an error of cmake is reported' contains "$line" 'building zxing-cpp: failed: CMake Error: no compiler'
"$setup" 2>"$work/errors"
check 'an unfinished zxing-cpp is built again' equal "$?,$(count_calls 'cmake --build')" 0,2

"$setup" --from "$work/none" 2>"$work/errors"
check 'a missing folder is rejected' equal $? 2
"$setup" --other 2>"$work/errors"
check 'an unknown option is rejected' equal $? 2

# The set retail: nothing listens on port 1.
kept=$(cat "$root/models/manifest.json")
cat >"$root/models/manifest.json" <<'END'
{"schema": 1, "packages": [], "samples": [], "runtime": {"package": "none", "files": [], "links": []},
"sets": {"retail": ["net"]}, "gains": {"retail": "half the misses"}, "models": [{"id": "net", "file": "net.bin", "size": 4,
"sha256": "a665a45920422f9d417e4867efdc4fb8a04a1f3fff1fa07e998e86f7f7a27ae3",
"source": {"url": "http://127.0.0.1:1/net.bin", "sha384": ""}}]}
END
"$setup" 2>"$work/errors"
check 'setup continues without the set retail' equal $? 0
line=$(grep 'going on without' "$work/errors")
check 'the reason is reported' contains "$line" 'Connection refused'
check 'the disadvantage is reported' contains "$line" 'half the misses'
check 'the later command is reported' contains "$line" 'scripts/faceverify models install --set retail'
check 'setup without the set retail is ready' contains "$(tail -n 1 "$work/errors")" 'ready:'
check 'no part of the set retail remains' equal "$(find "$root" -name '*net.bin*')" ''
echo "$kept" >"$root/models/manifest.json"

# Ray
mkdir -p "$root/benchmarks"
echo 'ray==0' >"$root/benchmarks/ray-requirements.txt"
PIP_INDEX_URL=http://127.0.0.1:1 "$setup" --tests 2>"$work/errors"
check 'setup continues without Ray' equal $? 0
check 'the missing Ray is reported' contains "$(cat "$work/errors")" 'its tests are skipped'
check 'a failed Ray counts as not installed' fails [ -e "$root/.deps/ray-venv/installed" ]
: >"$root/benchmarks/ray-requirements.txt"
"$setup" --tests 2>"$work/errors"
check 'Ray is installed when available' [ -e "$root/.deps/ray-venv/installed" ]
"$setup" --tests 2>"$work/errors"
check 'Ray is installed once' fails grep -q Ray "$work/errors"

# Packages
MISSING=libpng-dev "$setup" 2>"$work/errors"
check 'only missing packages are installed' contains "$(cat "$calls")" \
  'apt-get install -y --no-install-recommends libpng-dev -o'
MISSING=golang-go "$setup" 2>"$work/errors"
check 'packages for tests are not installed by default' fails grep -q golang-go "$calls"
MISSING=golang-go "$setup" --tests 2>"$work/errors"
check 'packages for tests are installed with --tests' contains "$(cat "$calls")" '--no-install-recommends golang-go -o'
line=$(MISSING=libpng-dev APT_ERROR="E: Temporary failure resolving 'mirror'" last_line "$setup")
check 'a missing network is reported' contains "$line" 'failed: no network;'
line=$(MISSING=libpng-dev APT_ERROR='E: Unable to locate package libpng-dev' last_line "$setup")
check 'an error of apt-get is reported' contains "$line" 'E: Unable to locate package libpng-dev'
check 'the log is named' contains "$line" "$root/.deps/log/apt.log"
line=$(MISSING=libpng-dev APT_ERROR="E: You don't have enough free space" last_line "$setup")
check 'missing space for packages is reported' contains "$line" 'no space left'

stub id <<'END'
echo 1000
END
stub sudo <<'END'
echo "sudo $1" >>"$calls"
exec "$@"
END
MISSING=git "$setup" 2>"$work/errors"
check 'sudo is used' equal "$(count_calls 'sudo bash')" 1
rm "$stubs/sudo"
# Only the tools that the script needs, and no sudo.
mkdir "$work/tools"
for tool in awk bash cat cmp cp cut date df dirname env find flock grep gzip head mkdir mv nproc pkg-config printf python3 \
  readlink rm sed sh sha256sum sleep tail tar tee touch uname wc; do
  ln -s "$(command -v $tool)" "$work/tools/$tool"
done
line=$(MISSING=git PATH=$stubs:$work/tools last_line "$setup")
check 'without sudo, the command is printed' contains "$line" 'apt-get install -y --no-install-recommends git'
rm "$stubs/id"

# Swift
line=$(SWIFT_VERSION=6.1.2 last_line "$setup")
check 'an old Swift is rejected' contains "$line" 'Swift 6.1 is too old'
SWIFT_VERSION=7.0 "$setup" 2>"$work/errors"
check 'a newer Swift is accepted' equal $? 0
mv "$stubs/swift" "$work/swift"
line=$(PATH=$stubs:$work/tools last_line "$setup")
check 'the source of Swift is named' contains "$line" 'https://www.swift.org/install/linux'
mv "$work/swift" "$stubs/swift"

# The machine
stub uname <<'END'
echo "$MACHINE"
END
check 'another architecture is rejected, and the message names it' contains "$(MACHINE=riscv64 last_line "$setup")" 'riscv64'
MACHINE=aarch64 "$setup" 2>"$work/errors"
check 'arm64 is accepted, with a warning' contains "$? $(cat "$work/errors")" 'not been tested on arm64'
check 'arm64 can be set up' contains "$(tail -n 1 "$work/errors")" 'ready'
rm "$stubs/uname"
stub df <<'END'
printf 'Filesystem 1M Used Available\n/dev/x 9000 8900 100 99%% /\n'
END
check 'insufficient space is reported' contains "$(last_line "$setup")" 'about 500 MB needed, 100 MB free'
rm -rf "$root/.build"
check 'the first setup requires more space' contains "$(last_line "$setup")" 'about 3000 MB needed, 100 MB free'
rm "$stubs/df"

# Failing steps
line=$(MODELS_EXIT=3 last_line "$setup")
check 'unprepared models are reported' contains "$line" 'checking the models: failed'
echo '{' >"$root/models/manifest.json"
line=$(last_line "$setup")
check 'the last line is that of fetch.py' contains "$line" 'manifest.json is damaged'
check 'a failed setup leaves no stamp' [ "$root/models/manifest.json" -nt "$root/.deps/stamp" ]
cp "$here/models/manifest.json" "$root/models/"
mkdir "$work/empty"
line=$(last_line "$setup" --from "$work/empty")
check '--from is passed on' contains "$line" "$work/empty lacks"
echo '{"schema": 1, "packages": [], "models": [], "runtime": {"files": [], "links": []}}' >"$root/models/manifest.json"

# Two at once
: >"$calls"
BUILD_SECONDS=1 "$setup" 2>"$work/first" &
sleep 0.3
"$setup" 2>"$work/second"
wait
check 'a concurrent setup waits' contains "$(cat "$work/second")" 'waiting for another setup'
check 'concurrent builds do not overlap' equal "$(grep -E '^swift (build|built)' "$calls" | tr '\n' ,)" \
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
check 'an interruption is reported' contains "$(cat "$work/output")" 'interrupted; run it again'
check 'an interruption has exit code 130' equal "$(tail -n 1 "$work/output")" 'exit code 130'
"$setup" 2>"$work/errors"
check 'setup resumes after an interruption' equal $? 0

finish
