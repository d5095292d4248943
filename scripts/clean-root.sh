# shellcheck shell=bash
# Shared by the scripts that verify installations on a bare Debian 12. They need root, debootstrap and a network.
# Sets `logs`; each script ends with PASS or FAIL.

debian=bookworm

say() { printf 'prove: %s\n' "$*"; }
fail() {
  printf 'prove: %s\nFAIL\n' "$*" >&2
  exit 1
}

# make_clean_root KEEP: sets `clean`, the folder of a fresh root; removed at exit unless KEEP is yes
make_clean_root() {
  keep=$1
  [ "$(id -u)" = 0 ] || fail 'must be run as root (debootstrap, mounts)'
  command -v debootstrap >/dev/null || fail 'debootstrap is missing: apt-get install debootstrap'
  clean=$(mktemp -d "${TMPDIR:-/tmp}/clean-root.XXXXXX") || exit 3
  # shellcheck disable=SC2317
  clean_up() {
    # The mounts exist only in the namespace, so this cannot remove files through one.
    if [ "$keep" = yes ]; then say "kept: $clean"; else rm -rf --one-file-system "$clean"; fi
  }
  trap clean_up EXIT
  trap 'exit 130' INT TERM
  mkdir -p "$logs"
  say "bare Debian ($debian) in $clean"
  debootstrap --variant=minbase $debian "$clean" >"$logs/debootstrap.log" 2>&1 ||
    fail "debootstrap: $(tail -n 1 "$logs/debootstrap.log")"
  # mktemp makes it accessible only to root, but apt-get and the tests also run as other users.
  chmod 755 "$clean"
  cp /etc/resolv.conf /etc/hosts "$clean/etc/"
}

# The following runs inside a separate mount namespace: the mounts end with it in any case.

mount_clean_root() {
  mount -t proc proc "$1/proc" && mount -t sysfs -o ro sysfs "$1/sys" && mount --rbind /dev "$1/dev" || exit 3
}

# prove_commands ROOT FOLDER PATH COMMAND...: runs the commands in order in FOLDER of ROOT; stops at the first failure
prove_commands() {
  local clean=$1 folder=$2 environment=(HOME=/root LANG=C.UTF-8 "PATH=$3") variable value status log number=0
  shift 3
  mkdir -p "$clean/opt/host"
  local network='^(PIP_(CERT|INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|DEFAULT_TIMEOUT)|.*_proxy|.*_PROXY'
  network+='|SSL_CERT_FILE|GIT_SSL_CAINFO|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE)$'
  for variable in $(compgen -e | grep -E "$network"); do
    value=${!variable}
    if [ -f "$value" ]; then # a certificate: copied into the root, next to its own
      cp "$value" "$clean/opt/host/$variable"
      value=/opt/host/$variable
    fi
    environment+=("$variable=$value")
  done

  for command in "$@"; do
    log=$logs/command-$((++number)).log
    say "$command (log: $log)"
    SECONDS=0
    chroot "$clean" /usr/bin/env -i "${environment[@]}" /bin/sh -c "cd $folder && $command" </dev/null 2>&1 |
      tee "$log" | sed 's/^/  | /'
    status=${PIPESTATUS[0]}
    say "$command: exit code $status after $SECONDS s"
    [ "$status" = 0 ] || exit 1
  done
}
