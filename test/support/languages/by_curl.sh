# Sends each case by curl, and prints what it sees. The first argument says whether it waits to be asked for the body. A case: address, authorization, Content-Encoding, close or keep.
expect=$1; bytes=$2; shift 2
body=$(mktemp); trap 'rm -f "$body"' EXIT
head -c "$bytes" /dev/zero | tr '\0' x > "$body"
for one in "$@"; do
  url=${one%%|*}; rest=${one#*|}
  authorization=${rest%%|*}; rest=${rest#*|}
  coding=${rest%%|*}; connection=${rest#*|}
  set -- -H 'Content-Type: application/json' -H "Connection: $connection"
  [ "$expect" = expects ] || set -- "$@" -H 'Expect:'
  [ -z "$authorization" ] || set -- "$@" -H "Authorization: $authorization"
  [ -z "$coding" ] || set -- "$@" -H "Content-Encoding: $coding"
  status=$(curl -sk --http1.1 -o /dev/null -w '%{http_code}' --max-time 120 "$@" --data-binary "@$body" "$url") && echo "$status" || echo "$status, and curl ends with $?"
done
