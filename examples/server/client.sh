#!/bin/sh
# client.sh session [BODY.json]        starts a session: prints the page's address, waits, and gets the result
# client.sh result SESSION             gets the result of a finished session
# client.sh compare SELFIE PORTRAIT    compares two photos
#
# FACEVERIFY_SERVER is the server's address, FACEVERIFY_KEY a key of `faceverify serve key add`, FACEVERIFY_TRUSTED the
# file of the public key that signs the server's records. Needs curl, and faceverify to verify.
# The result is that of the signed record: the surrounding response is compared with the record and otherwise unused.
# Exit codes: 0 passed or match, 1 failed or no match, 2 usage error, 3 runtime error or an unreliable result,
# 4 neither, 5 passed by one photo alone, which the session accepted: presence was not proved.
set -u

server=${FACEVERIFY_SERVER:-http://127.0.0.1:8443}
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
[ -n "${FACEVERIFY_KEY-}" ] || usage

# The key is passed in a private file: arguments are visible to all users.
call() {
  printf 'header = "Authorization: Bearer %s"\n' "$FACEVERIFY_KEY" |
    curl --silent --show-error --fail-with-body --max-time 60 --config - "$@" || {
    echo "client.sh: the server refused the request or is not reachable" >&2
    exit 3
  }
}
# The first string with this name, which is enough for names that occur once.
member() { sed -nE "s/.*\"$1\" ?: ?\"([^\"]*)\".*/\1/p" | head -n 1; }
code() {
  case $1 in
    passed | match) return 0 ;;
    failed | no-match) return 1 ;;
    *) return 4 ;;
  esac
}

unreliable() { echo "client.sh: $1: do not rely on this result" >&2; exit 3; }

# take SESSION [ACCOUNT]: prints the result of a session from its verified record.
take() {
  account=${2-}
  [ -n "$account" ] || account=$(call "$server/v1/sessions/$1" | member accountId)
  call "$server/v1/sessions/$1/result" >"$1.result" || exit
  # Responses are canonical JSON (RFC 8785), so that the record in them has the signed bytes unchanged.
  record='"record":(\{"body":.*,"signature":\{[^{}]*\}\}),'
  sed -nE "s/.*$record.*/\1/p" "$1.result" >"$1.json"
  ${FACEVERIFY_BINARY:-faceverify} record verify "$1.json" --trusted-key "$FACEVERIFY_TRUSTED" || unreliable "the record is wrong"
  # Quotes in strings are escaped, so these are members of the record: the account is first in its body, result and
  # session are last.
  start='^\{"body":\{"account":"([^"]*)",.*'
  result='"result":\{("assurance":\{[^{}]*\}),("error":(null|\{[^{}]*\})),("isComplete":(true|false)),"reasons":\[.*\],("result":"([a-z-]+)")\}'
  end=',"session":\{"id":"([^"]*)"\}\},"schema":"faceverify-record-1","signature":\{[^{}]*\}\}$'
  signed() { sed -nE "s/$start$result$end/\\$1/p" "$id.json"; }
  [ "$(signed 9)" = "$1" ] || unreliable "the record is not of session $1, but of '$(signed 9)'"
  [ "$(signed 1)" = "$account" ] || unreliable "the record is not of account $account, but of '$(signed 1)'"
  around=$(sed -E "s/$record//" "$1.result")
  for member in "\"workflowExecutionId\":\"$1\"" "\"accountId\":\"$account\"" "$(signed 2)" "$(signed 3)" "$(signed 5)" "$(signed 7)"; do
    found=$(printf '%s' "$around" | grep -oE "${member%%:*}:(\"[^\"]*\"|true|false|null|\{[^{}]*\})")
    [ "$found" = "$member" ] || unreliable "the answer around the record says $found, the record $member"
  done
  echo "$(signed 2)"
  echo "$(signed 8)"
  case "$(signed 8) $(signed 2)" in passed*'"presence":"photo"'*) return 5 ;; esac
  code "$(signed 8)"
}

case ${1-} in
  session | result)
    [ -r "${FACEVERIFY_TRUSTED-}" ] || usage
    ;;
esac
case ${1-} in
  result)
    [ $# = 2 ] || usage
    case $2 in *[!A-Za-z0-9_-]* | '') usage ;; esac
    id=$2
    take "$id"
    ;;
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
    take "$id" "$(echo "$session" | member accountId)"
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
