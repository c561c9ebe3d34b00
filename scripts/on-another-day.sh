#!/bin/sh
# Runs a command with the wall clock of all its processes ahead, as root on Linux with a C compiler:
#   sh scripts/on-another-day.sh 400 npm test           400 days from now
#   sh scripts/on-another-day.sh 2028-02-29 npm test    on that day, at this time of the day
#   sh scripts/on-another-day.sh 05:30 npm test         today, at that time of the day in UTC
#   sh scripts/on-another-day.sh 2028-02-29T23:55 npm test
# The dependencies must be installed: a registry's certificate does not last as long.
# The clock is named in /etc/ld.so.preload, which this command's mount namespace alone sees, since a process may be given
# an environment of its own. Times of files are the machine's.
set -eu
[ $# -gt 1 ] || {
  sed -n 's/^# \{0,1\}//; 2,9p' "$0" >&2
  exit 2
}
when=$1
shift
case $when in
  *:*) seconds=$(($(date -u -d "$(echo "$when" | tr T ' ')" +%s) - $(date +%s))) ;;
  *-*-*) seconds=$((($(date -u -d "$when" +%s) - $(date -u -d "$(date -u +%F)" +%s)))) ;;
  *) seconds=$((when * 86400)) ;;
esac
here=$(CDPATH='' cd "$(dirname "$0")" && pwd -P)
made=$(mktemp -d "${TMPDIR:-/tmp}/ledgerstone-day-XXXXXX")
trap 'rm -rf "$made"' EXIT
# Tests run servers as other users.
chmod 755 "$made"
cc -shared -fPIC -O2 "-DAHEAD_S=(${seconds}LL)" -o "$made/other-day.so" "$here/../test/support/other-day.c" -ldl
cp -a /etc "$made/etc"
echo "$made/other-day.so" >>"$made/etc/ld.so.preload"
chmod 644 "$made/etc/ld.so.preload"
unshare -m sh -euc 'mount --bind "$1" /etc; shift; date; exec "$@"' sh "$made/etc" "$@"
