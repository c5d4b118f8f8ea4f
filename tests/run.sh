#!/bin/sh
# Builds cubenet and runs its tests, installing what is missing where that is allowed.
#
#   sh tests/run.sh               default build and all tests (CC names the compiler)
#   sh tests/run.sh --sanitize    under the address and undefined behaviour sanitizers
#   sh tests/run.sh --threads     the rooms with threads, under the thread sanitizer
#   sh tests/run.sh --portable    the numbers that are the same everywhere: on 32-bit x86, musl, aarch64, s390x
#   sh tests/run.sh --all         default, gcc and clang with warnings as errors, all of the above
#
# The last line is "N passed, N failed", with ", N skipped" when any were; a build that fails counts
# as one failure.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit
. "$root/tests/prepare.sh"

export ASAN_OPTIONS="${ASAN_OPTIONS:-halt_on_error=1:detect_leaks=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1}"
export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1}"

passed=0 failed=0 skipped=0

# count LOG LABEL: the number behind "LABEL:" in the summary that meson leaves in its log.
count()
{
  number=$(sed -n "s/^$2: *\([0-9][0-9]*\) *$/\1/p" "$1" | tail -n 1)
  echo "${number:-0}"
}

# run FOLDER "meson setup options" "meson test options"
run()
{
  say "== ${1##*/}"
  # unquoted: lists of options
  if ! { configure "$1" -Dtests=enabled $2 && meson compile -C "$1"; } </dev/null; then
    say "${1##*/}: the build failed"
    failed=$((failed + 1))
    return
  fi
  log=$1/meson-logs/testlog.txt
  rm -f "$log"
  meson test -C "$1" --no-rebuild --print-errorlogs $3 </dev/null
  status=$?
  if [ ! -e "$log" ]; then
    say "${1##*/}: no test ran"
    failed=$((failed + 1))
    return
  fi
  passed=$((passed + $(count "$log" Ok) + $(count "$log" 'Expected Fail')))
  failed=$((failed + $(count "$log" Fail) + $(count "$log" 'Unexpected Pass')))
  failed=$((failed + $(count "$log" Timeout)))
  # a failure that the log does not know of
  [ $status = 0 ] || [ $failed != 0 ] || failed=1
  skipped=$((skipped + $(count "$log" Skipped)))
}

run_default()
{
  # the limit of a test, 30 s, is for a hang; a busy machine takes longer than a free one
  run "$root/build" '' '--timeout-multiplier 4'
}

run_sanitize()
{
  run "$root/build-sanitize" \
    '-Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=debugoptimized' \
    '--timeout-multiplier 5'
}

run_threads()
{
  run "$root/build-tsan" \
    '-Db_sanitize=thread -Db_lundef=false -Dbuildtype=debugoptimized' \
    '--timeout-multiplier 10 --suite base --suite simulation'
}

run_compilers()
{
  for compiler in gcc clang; do
    if have $compiler; then
      # a subshell would lose the counts
      saved=${CC:-}
      CC=$compiler
      export CC
      run "$root/build-$compiler" -Dwerror=true ''
      CC=$saved
      [ -n "$CC" ] || unset CC
    else
      say "== build-$compiler: there is no $compiler here"
    fi
  done
}

run_portable()
{
  for machine in m32 musl aarch64 s390x; do
    if portable_toolchain $machine; then
      run "$root/build-$machine" "--cross-file $root/tests/portable/$machine.ini -Dtests=auto
        -Dbench=false -Dpython=disabled -Ddefault_library=static" \
        '--timeout-multiplier 10 --suite portable'
    else
      say "== build-$machine: skipped, no compiler or emulator for it"
      skipped=$((skipped + 1))
    fi
  done
}

case ${1:-} in
'' | --sanitize | --threads | --portable | --all) ;;
*)
  sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
  [ "$1" = --help ]
  exit
  ;;
esac

prepare tests
case ${1:-} in
'') run_default ;;
--sanitize) run_sanitize ;;
--threads) run_threads ;;
--portable) run_portable ;;
--all)
  run_default
  run_compilers
  run_sanitize
  run_threads
  run_portable
  ;;
esac

summary="$passed passed, $failed failed"
[ $skipped = 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ $failed = 0 ]
