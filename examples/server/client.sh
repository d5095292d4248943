#!/bin/sh
# client.sh session [BODY.json]        asks one person: prints the page's address, waits, verifies the signed record
# client.sh compare SELFIE PORTRAIT    compares two photos
#
# FACEVERIFY_SERVER is the server's address, FACEVERIFY_KEY a key of `faceverify serve key add`, FACEVERIFY_TRUSTED the
# file of the public key that the record must be signed with. Needs curl, and faceverify to verify.
# Exit codes: 0 passed or match, 1 failed or no match, 2 wrong use, 3 could not be done, 4 neither.
set -u

server=${FACEVERIFY_SERVER:-http://127.0.0.1:8443}
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
[ -n "${FACEVERIFY_KEY-}" ] || usage

# The key goes by a file that only this process reads: arguments are seen by everybody.
call() {
  printf 'header = "Authorization: Bearer %s"\n' "$FACEVERIFY_KEY" |
    curl --silent --show-error --fail-with-body --max-time 60 --config - "$@" || {
    echo "client.sh: the server refused it, or is not there" >&2
    exit 3
  }
}
# The first text with this name. Enough for names that occur once.
member() { sed -nE "s/.*\"$1\" ?: ?\"([^\"]*)\".*/\1/p" | head -n 1; }
code() {
  case $1 in
    passed | match) return 0 ;;
    failed | no-match) return 1 ;;
    *) return 4 ;;
  esac
}

case ${1-} in
  session)
    body='{"requests": [{"category": "face"}], "comparesFace": false,
      "consents": [{"text": "May your face be looked at?", "isActive": true}]}'
    [ $# = 1 ] || body=$(cat -- "$2") || exit 3
    session=$(call --json "$body" "$server/v1/sessions") || exit
    id=$(echo "$session" | member workflowExecutionId)
    echo "$session" | member pageUrl
    while :; do
      state=$(call "$server/v1/sessions/$id") || exit
      case $(echo "$state" | member state) in finished | expired | cleared) break ;; esac
      sleep 1
    done
    call "$server/v1/sessions/$id/result" >"$id.result" || exit
    # An answer is JSON in its canonical form (RFC 8785): so the record in it is what was signed, byte for byte.
    sed -E 's/.*"record":(\{"body":.*"signature":\{[^}]*\}\}),"result":.*/\1/' "$id.result" >"$id.json"
    ${FACEVERIFY_BINARY:-faceverify} record verify "$id.json" ${FACEVERIFY_TRUSTED:+--key "$FACEVERIFY_TRUSTED"}
    [ $? != 1 ] || exit 3
    result=$(sed -nE 's/.*"result":"([^"]*)","transport".*/\1/p' "$id.result")
    echo "${result:-no result}"
    code "$result"
    ;;
  compare)
    [ $# = 3 ] || usage
    answer=$(call --form "selfie=@$2" --form "portrait=@$3" "$server/v1/compare") || exit
    result=$(echo "$answer" | member result)
    echo "$result"
    code "$result"
    ;;
  *) usage ;;
esac
