#!/bin/bash
# Tests of smart card readers: the command reads chips that emulated-chip emulates, as cards in vpcd (vsmartcard's virtual
# reader), through a pcscd of its own. Nothing of the machine's own pcscd is used or disturbed.
# shellcheck source=lib.sh disable=SC1091
. "$(dirname -- "$0")/lib.sh"
command=${FACEVERIFY_BINARY:-$here/.build/release/faceverify}
emulated=${FACEVERIFY_EMULATED_CHIP:-$here/.build/release/emulated-chip}
export FACEVERIFY_MODELS=${FACEVERIFY_MODELS:-$here/models}
driver=/usr/lib/pcsc/drivers/serial/libifdvpcd.so
samples=${FACEVERIFY_SAMPLES:-$here/.deps/samples}
tests=33

skip() {
  echo "SKIPPED: $1"
  echo "0 passed, 0 failed, $tests skipped"
  exit 0
}
[ -x "$command" ] || skip 'the command is missing; scripts/setup builds it'
[ -x "$emulated" ] || skip 'the program emulated-chip is missing; scripts/test builds it'
[ -x /usr/sbin/pcscd ] && [ -e "$driver" ] || skip 'pcscd or vsmartcard-vpcd is not installed; scripts/setup --tests does it'
[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || skip 'a pcscd of its own needs root and mount namespaces'

work=$(mktemp -d "${TMPDIR:-/tmp}/reader-test.XXXXXX")
cards=()
service=
end() {
  for card in "${cards[@]}" $service; do kill "$card" 2>/dev/null; done
  wait 2>/dev/null
  rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

# vpcd has two readers; each listens for its card, on this port and the next one.
port=$((20000 + $$ % 20000 / 2 * 2))
mkdir "$work/readers" "$work/csca"
printf 'FRIENDLYNAME "Virtual PCD"\nDEVICENAME /dev/null:0x%X\nLIBPATH %s\nCHANNELID 0x%X\n' $port $driver $port \
  >"$work/readers/vpcd"
# In a mount namespace, pcscd has a /run/pcscd of its own, which clients reach through /proc.
unshare -m sh -c 'mkdir -p /run/pcscd && mount -t tmpfs none /run/pcscd && exec /usr/sbin/pcscd --foreground --config "$1"' \
  - "$work/readers" >"$work/pcscd.log" 2>&1 &
service=$!
export PCSCLITE_CSOCK_NAME=/proc/$service/root/run/pcscd/pcscd.comm
for _ in $(seq 100); do
  [ -S "$PCSCLITE_CSOCK_NAME" ] && "$command" readers 2>/dev/null | grep -q 'PCD 00 01' && break
  sleep 0.1
done
[ -S "$PCSCLITE_CSOCK_NAME" ] || { cat "$work/pcscd.log"; skip 'pcscd with vpcd does not start here'; }

# insert SLOT ARGUMENTS...: lays a chip on the reader 0 or 1, and waits until it is seen
insert() {
  local slot=$1
  shift
  "$emulated" "$@" --connect $((port + slot)) 2>>"$work/cards.log" &
  cards+=($!)
  for _ in $(seq 100); do
    "$command" readers | grep -q "00 0$slot *contactless card" && return
    sleep 0.1
  done
  return 1
}

# remove: takes all chips away
remove() {
  for card in "${cards[@]}"; do kill "$card" 2>/dev/null; done
  wait "${cards[@]}" 2>/dev/null
  cards=()
  for _ in $(seq 100); do
    "$command" readers | grep -q 'card  ' || return
    sleep 0.1
  done
}

# run ARGUMENTS...: runs the command; its output, messages and exit code are in out, err and code
run() {
  out=$("$command" "$@" 2>"$work/err")
  code=$?
  err=$(cat "$work/err")
}

"$emulated" --authority "$work/csca/csca.cer"
mrz=L898902C3,740812,120415
read_chip=(chip --reader --mrz $mrz --trust "$work/csca")
portrait=()
dg2=$(find "${FACEVERIFY_DOCUMENTS:-$here/.deps/documents}/chips" -name EF.DG2 2>/dev/null | sort | head -n 1)
[ -z "$dg2" ] || portrait=(--portrait "$dg2")
# Without a portrait, the reading is incomplete.
whole=$([ -n "$dg2" ] && echo 0 || echo 4)

run readers
check 'both readers are listed, without cards' equal "$code $(grep -c 'no card' <<<"$out")" '0 2'
run readers --json
check 'as JSON' contains "$out" '"name" : "Virtual PCD 00 01"'
PCSCLITE_CSOCK_NAME=/nonexistent run readers --json
check 'without a service the exit code is 3' equal "$code" 3
check 'and the error names it' contains "$out" pcscd
run chip --reader --can 123456 --timeout 1
check 'the deadline ends the waiting for a card' equal "$code" 3
run chip --reader nothing --can 123456
check 'a reader with another name is not there' equal "$code" 3
check 'and the others are named' contains "$err" 'Virtual PCD 00 00'

insert 0 cam "${portrait[@]}"
run "${read_chip[@]}" --save-chip "$work/chip" --json
check 'a chip with chip authentication mapping is read' equal "$code" "$whole"
check 'and is no copy' contains "$out" '"verdict" : "not-cloned"'
check 'and authentic' contains "$out" '"verdict" : "authentic"'
check 'progress names the files' contains "$err" 'EF.DG2 read'
run chip "$work/chip" --trust "$work/csca"
check 'the saved files are authentic' contains "$out" 'authentic: '
check 'and for their owner only' equal "$(stat -c %a "$work/chip" "$work/chip/EF.DG1" | tr '\n' ' ')" '700 600 '
run "${read_chip[@]}" --save-chip "$work/chip"
check 'they are not overwritten' equal "$code" 3
run chip --reader --mrz - --trust "$work/csca" -q <<<'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<
L898902C36UTO7408122F1204159ZE184226B<<<<<10'
check 'the zone is read from standard input' equal "$code$out$err" "$whole"
run chip --reader --can 654321 --trust "$work/csca" --json
check 'a wrong card access number is a result' equal "$code" 4
check 'with the attempts that are left' contains "$out" '"attemptsLeft" : 2'
run chip --reader --can 654321 -q
run chip --reader --can 123456 --json
check 'the last attempt is not made' contains "$out" '"refusal" : "confirmation-needed"'
run chip --reader --can 123456 --last-attempt --trust "$work/csca"
check 'unless it is confirmed' contains "$out" 'not cloned: '

insert 1 bac
run "${read_chip[@]}"
check 'with two cards a reader must be named' equal "$code" 3
check 'and both are' contains "$err" '"Virtual PCD 00 00", "Virtual PCD 00 01"'
run chip --reader '00 01' --mrz $mrz --trust "$work/csca"
check 'a chip with basic access control and no protocol against copies is not checked' equal "$code" 4
check 'with the reason' contains "$out" 'not announced: '
remove

insert 0 pace --fault wrongSignature
run "${read_chip[@]}" --json
check 'a chip that fails its protocol is suspected' equal "$code" 1
check 'to be a clone' contains "$out" '"verdict" : "clone-suspected"'
left=0
if ls "$FACEVERIFY_MODELS"/*.tflite "$samples/obama2.jpg" >/dev/null 2>&1; then
  "$command" keys new "$work/signing.pem" -q
  verify=(verify --selfie "$samples/obama.jpg" --presence photo --trust "$work/csca" --json --reader
    --record "$work/record.json" --signing-key "$work/signing.pem" --mrz)
  run "${verify[@]}" $mrz
  check 'and fails a verification' equal "$code" 1
  check 'with the reason' contains "$out" '"reason" : "clone-suspected"'
  remove
  insert 0 cam --portrait "$samples/obama2.jpg" --zone \
    'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F3012316ZE184226B<<<<<18'
  run "${verify[@]}" L898902C3,740812,301231
  check 'the holder of a document that has not expired passes, by a photo' equal "$code" 5
  check 'and its chip is no copy' contains "$out" '"document" : "chip-authentic"'
  run record verify "$work/record.json" --trusted-key "$work/signing.pub.pem"
  check 'and the record of it is valid' equal "$code" 0
else
  left=5
  echo 'SKIPPED: verify needs the models and the sample photos'
fi
remove

insert 0 pace --remove-after 30
run "${read_chip[@]}" --json
check 'a chip that is removed while it is read is not checked' equal "$code" 4
check 'and the error names the reader' contains "$err" 'Virtual PCD 00 00'
(sleep 1; exec "$emulated" bac --connect $port) &
cards+=($!)
run "${read_chip[@]}"
check 'a chip that comes later is awaited' contains "$out" 'opened with'
echo "$passed passed, $failed failed, $left skipped"
[ "$failed" = 0 ]
