#!/bin/sh
# Builds cubenet and runs its tests, installing what is missing where that is allowed.
#
#   sh tests/run.sh               default build and all tests (CC names the compiler)
#   sh tests/run.sh --sanitize    under the address and undefined behaviour sanitizers
#   sh tests/run.sh --threads     the rooms with threads, under the thread sanitizer
#   sh tests/run.sh --fuzz        libFuzzer on every target, FUZZ_SECONDS (60) each, with clang
#   sh tests/run.sh --coverage    lines and branches of lib/ that tests reach, at least 99 and 94 %
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
    '-Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=debugoptimized -Dc_args=-DCNI_ONE_COPY' \
    '--timeout-multiplier 5'
}

run_threads()
{
  run "$root/build-tsan" \
    '-Db_sanitize=thread -Db_lundef=false -Dbuildtype=debugoptimized -Dc_args=-DCNI_ONE_COPY' \
    '--timeout-multiplier 10 --suite base --suite simulation'
}

# with_compiler COMPILER command...: in this shell; a subshell would lose the counts
with_compiler()
{
  saved=${CC:-}
  CC=$1
  export CC
  shift
  "$@"
  done=$?
  CC=$saved
  [ -n "$CC" ] || unset CC
  return $done
}

run_compilers()
{
  for compiler in gcc clang; do
    if have $compiler; then
      with_compiler $compiler run "$root/build-$compiler" -Dwerror=true ''
    else
      say "== build-$compiler: there is no $compiler here"
    fi
  done
}

build_fuzz()
{
  configure "$1" -Dtests=enabled -Dfuzz=true -Dbench=false -Dpython=disabled \
    -Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=debugoptimized </dev/null &&
    meson compile -C "$1" fuzz_faults fuzz_program fuzz_text fuzz_topology </dev/null
}

# Every input that is found to break something is left in build-fuzz/found and counts as a failure.
run_fuzz()
{
  folder=$root/build-fuzz
  say "== ${folder##*/}"
  if ! have_fuzzer; then
    say "there is no clang with libFuzzer here"
    skipped=$((skipped + 4))
    return
  fi
  if ! with_compiler clang build_fuzz "$folder"; then
    say "${folder##*/}: the build failed"
    failed=$((failed + 1))
    return
  fi
  rm -rf "$folder/found"
  mkdir -p "$folder/found"
  for target in faults program text topology; do
    # inputs that reach new lines are kept for the next run, outside the tree
    mkdir -p "$folder/corpus/$target"
    log=$folder/found/$target.log
    if "$folder/tests/fuzz/fuzz_$target" -max_total_time="${FUZZ_SECONDS:-60}" -max_len=512 -timeout=10 \
      -artifact_prefix="$folder/found/$target-" "$folder/corpus/$target" \
      "$root/tests/fuzz/corpus/$target" >"$log" 2>&1 </dev/null; then
      passed=$((passed + 1))
      say "fuzz_$target: $(sed -n 's/^Done //p' "$log")"
    else
      failed=$((failed + 1))
      tail -n 60 "$log" >&2
      say "fuzz_$target: see $folder/found"
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

# Lines and branches of lib/ that some test reaches, counted by gcov without optimization, nothing left
# out. Threads race for the counters of gcov, so that a few come out as no counts at all: these are
# skipped. A figure below its limit is one failed test.
run_coverage()
{
  have gcovr || install_packages gcovr || :
  if ! have gcc || ! have gcovr; then
    say "== build-coverage: there is no gcc or no gcovr here"
    skipped=$((skipped + 1))
    return
  fi
  rm -rf "$root/build-coverage" # an earlier run may have counted in other sources
  with_compiler gcc run "$root/build-coverage" \
    '-Db_coverage=true -Dbuildtype=debug -Dc_args=-DCNI_ONE_COPY' '--timeout-multiplier 30'
  report=$root/build-coverage/coverage.txt
  if gcovr --root "$root" --filter "$root/lib/" --gcov-ignore-parse-errors --print-summary \
    --fail-under-line 99 --fail-under-branch 94 "$root/build-coverage" >"$report" 2>"$report.errors"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
  say "lib/, limits 99 % of lines and 94 % of branches; by file in ${report#"$root/"}:"
  say "$(grep -E '^(lines|branches):' "$report")"
}

case ${1:-} in
'' | --sanitize | --threads | --fuzz | --coverage | --portable | --all) ;;
*)
  sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
  [ "$1" = --help ]
  exit
  ;;
esac

case ${1:-} in
--fuzz) prepare fuzz ;;
--all) (prepare fuzz) || prepare tests ;;
*) prepare tests ;;
esac
case ${1:-} in
'' | --all) prepare_others ;;
esac
case ${1:-} in
'') run_default ;;
--sanitize) run_sanitize ;;
--threads) run_threads ;;
--fuzz) run_fuzz ;;
--coverage) run_coverage ;;
--portable) run_portable ;;
--all)
  run_default
  run_compilers
  run_sanitize
  run_threads
  run_fuzz
  run_coverage
  run_portable
  ;;
esac

summary="$passed passed, $failed failed"
[ $skipped = 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ $failed = 0 ]
