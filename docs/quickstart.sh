#!/bin/sh
# From nothing to a first result: builds cubenet, then lays the model of deflection routing beside
# its simulation.
#
#   sh docs/quickstart.sh [n] [load...]     the cube's dimension (6), loads (0.5 1.0 1.5 3.0)
#
# The program is docs/examples/deflection_table.c.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit
. "$root/tests/prepare.sh"

case ${1:-} in
-h | --help)
  sed -n '2,7s/^# \{0,1\}//p' "$0"
  exit
  ;;
esac

build()
{
  configure "$root/build" -Dbench=true && meson compile -C "$root/build" deflection_table
}

prepare
log=$(mktemp) || exit
trap 'rm -f "$log"' EXIT
say "Building cubenet ..."
if ! build >"$log" 2>&1 </dev/null; then
  cat "$log" >&2
  die "The build failed."
fi
"$root/build/docs/deflection_table" "$@"
