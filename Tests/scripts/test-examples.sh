#!/bin/sh
# Builds and runs a package that depends on this one. Needs what scripts/setup makes.
. "$(dirname -- "$0")/lib.sh"

# A debug build, the faster one to compile: what it proves is about the manifest.
output=$(PKG_CONFIG_PATH=$here/.deps/pkgconfig swift run --package-path "$here/Tests/consumer" \
  --scratch-path "$here/.build/consumer" -Xlinker -rpath -Xlinker "$here/.deps/openvino/lib" 2>&1)
check 'another package can depend on this one' contains "$output" 'consumer of FaceVerify '

finish
