# shellcheck shell=sh
# For the script tests: a copy of the scripts in a separate folder, with stubs of the tools that they run.
# A test calls `check NAME COMMAND...` and, at its end, `finish`.

here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
passed=0
failed=0

check() {
  name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok: $name"
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
  fi
}

finish() {
  echo "$passed passed, $failed failed"
  [ $failed = 0 ]
}

fails() { ! "$@" >/dev/null 2>&1; }

equal() {
  [ "$1" = "$2" ] || { printf '  expected: %s\n  found:    %s\n' "$2" "$1"; return 1; }
}

contains() {
  case $1 in
    *"$2"*) ;;
    *) printf '  expected to contain: %s\n  found: %s\n' "$2" "$1"; return 1 ;;
  esac
}

# stub NAME: the rest of standard input is the stub's shell script
stub() {
  { echo '#!/bin/sh'; cat; } >"$stubs/$1"
  chmod +x "$stubs/$1"
}

# A copy of the project with empty sources. The spaces are part of the test.
make_project() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/script test.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM
  root="$work/a project"
  stubs=$work/stubs
  calls=$work/calls
  mkdir -p "$root/models" "$root/Sources/Part" "$root/Tests/python" "$root/Tests/scripts" "$stubs"
  cp -R "$here/scripts" "$root/scripts"
  cp "$here/models/fetch.py" "$root/models/"
  touch "$root/Package.swift" "$root/Package.lock" "$root/Sources/Part/File.swift" "$calls"
  cat >"$root/models/manifest.json" <<'END'
{"schema": 1, "packages": [], "models": [], "samples": [], "runtime": {"package": "none", "files": [], "links": []},
"sets": {"retail": []}, "gains": {"retail": "half the misses"}}
END
  # zxing-cpp's source package, as downloaded by scripts/setup.
  mkdir -p "$root/.deps/libraries" "$work/zxing/core/src"
  touch "$work/zxing/LICENSE" "$work/zxing/core/src/ZXingC.h" "$work/zxing/core/src/BarcodeFormat.h"
  tar -czf "$root/.deps/libraries/zxing-cpp.tar.gz" -C "$work" zxing
  stub cmake <<'END'
echo "cmake $1" >>"$calls"
[ -z "$CMAKE_ERROR" ] || { echo "$CMAKE_ERROR"; exit 1; }
[ "$1" != --build ] || touch "$2/libZXing.a"
while [ $# != 0 ]; do
  [ "$1" != -B ] || { mkdir -p "$2" && touch "$2/Version.h"; }
  shift
done
END
  export root stubs calls

  # The program built by `swift build`.
  cat >"$work/program" <<'END'
#!/bin/sh
[ "$1" = models ] && { echo "program models" >>"$calls"; exit "${MODELS_EXIT:-0}"; }
[ "$1" = compare ] && { case $3 in */biden.jpg) exit "${OTHER_EXIT:-1}" ;; esac; exit 0; }
printf '%s|' "$PWD" "$FACEVERIFY_MODELS" "$@"
exit 7
END
  chmod +x "$work/program"
  stub swift <<'END'
echo "swift $1" >>"$calls"
case $1 in
  --version) echo "Swift version ${SWIFT_VERSION:-6.3.1} (swift-RELEASE)" ;;
  build)
    [ -z "$BUILD_ERROR" ] || { echo "$BUILD_ERROR"; exit 1; }
    sleep "${BUILD_SECONDS:-0}"
    mkdir -p "$root/.build/release" && cp "$root/../program" "$root/.build/release/faceverify"
    echo "swift built" >>"$calls"
    ;;
esac
END
  stub dpkg-query <<'END'
for package; do case $package in -* | \$*) ;; "$MISSING") ;; *) printf '%s=installed ' "$package" ;; esac; done
END
  stub apt-get <<'END'
echo "apt-get $*" >>"$calls"
[ -z "$APT_ERROR" ] || { echo "$APT_ERROR"; exit 100; }
END
  PATH=$stubs:$PATH
  unset FACEVERIFY_MODELS
}

count_calls() { grep -c "^$1" "$calls"; }
