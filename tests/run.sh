#!/bin/sh
# Builds cubenet and runs its tests, installing what is missing where that is allowed.
#
#   sh tests/run.sh               default build and the tests of the library (CC names the compiler); installs a
#                                 compiler, meson, ninja, python3, pkg-config and cmocka
#   sh tests/run.sh --full        default build and all tests: also those that build the library again, the site and
#                                 the hosts in other simulators; installs what these need
#   sh tests/run.sh --sanitize    under the address and undefined behaviour sanitizers, of clang where it is there
#   sh tests/run.sh --threads     the rooms with threads, under the thread sanitizer
#   sh tests/run.sh --fuzz        libFuzzer on every target, FUZZ_SECONDS (60) each, with clang
#   sh tests/run.sh --coverage    lines and branches of lib/ that tests reach, at least 99 and 94 %
#   sh tests/run.sh --portable    the numbers that are the same everywhere: on 32-bit x86, musl, aarch64, s390x, Windows (and
#                                 the tests of all calls; by Wine), WebAssembly (by node), and by clang with POSIX alone
#   sh tests/run.sh --play        the page of docs/play/ in a headless Chromium; installs Emscripten and Chromium
#   sh tests/run.sh --packages    the archive of a release, and the Debian packages by lintian
#   sh tests/run.sh --compilers   gcc and clang with warnings as errors
#   sh tests/run.sh --all         all of the above
#
# Several options are carried out one after the other. With --skips FILE, what is skipped and not named in FILE
# counts as a failure (tests/skipped.py).
#
# What is skipped is listed with its reason, what failed with its time. The last line is "N passed, N failed", with
# ", N skipped" when any were; a build that fails counts as one failure.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit
. "$root/tests/prepare.sh"

export ASAN_OPTIONS="${ASAN_OPTIONS:-halt_on_error=1:detect_leaks=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1}"
export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1}"

passed=0 failed=0 skipped=0
skips=$(mktemp) && failures=$(mktemp) || exit
trap 'rm -f "$skips" "$failures"' EXIT

# skip BUILD REASON: one test more that was not tried
skip()
{
  say "== $1: skipped, $2"
  printf '%s: %s\n' "$1" "$2" >>"$skips"
  skipped=$((skipped + 1))
}

# fail BUILD REASON: one failure more
fail()
{
  say "$1: $2"
  printf '%s: %s\n' "$1" "$2" >>"$failures"
  failed=$((failed + 1))
}

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
  case " $3" in
  *' --suite '*) whole=false ;; # meson test builds what the tests of a suite need
  *) whole=true ;;
  esac
  # unquoted: lists of options
  if ! { configure "$1" -Dtests=enabled $2 && { ! $whole || meson compile -C "$1"; }; } </dev/null; then
    fail "${1##*/}" 'the build failed'
    return
  fi
  log=$1/meson-logs/testlog
  rm -f "$log.txt" "$log.json"
  meson test -C "$1" $(! $whole || echo --no-rebuild) --print-errorlogs $3 </dev/null
  status=$?
  if [ ! -e "$log.txt" ]; then
    fail "${1##*/}" 'no test ran'
    return
  fi
  passed=$((passed + $(count "$log.txt" Ok) + $(count "$log.txt" 'Expected Fail')))
  failed=$((failed + $(count "$log.txt" Fail) + $(count "$log.txt" 'Unexpected Pass')))
  failed=$((failed + $(count "$log.txt" Timeout)))
  # a failure that the log does not know of
  [ $status = 0 ] || [ $failed != 0 ] || failed=1
  skipped=$((skipped + $(count "$log.txt" Skipped)))
  python3 "$root/tests/skipped.py" "${1##*/}" "$log.json" >>"$skips" || failed=$((failed + 1))
  python3 "$root/tests/skipped.py" --failed "${1##*/}" "$log.json" >>"$failures" || failed=$((failed + 1))
}

# The limit of a test, 30 s, is for a hang; a busy machine takes longer than a free one.
run_default()
{
  run "$root/build" '' '--timeout-multiplier 4 --no-suite thorough --no-suite long'
}

run_full()
{
  run "$root/build" '' '--timeout-multiplier 4 --no-suite play'
}

# run_sanitizers [meson setup options]
run_sanitizers()
{
  run "$root/build-sanitize" "$* -Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=debugoptimized -Dc_args=-DCNI_ONE_COPY" \
    '--timeout-multiplier 5 --no-suite thorough --no-suite numbers'
}

# clang reports more than gcc: offsets from NULL, and such that wrap around. Its warnings are errors, since no other build of
# .ci/run has them.
run_sanitize()
{
  if [ -n "${CC:-}" ]; then
    say "The sanitizers are those of CC=$CC."
    run_sanitizers
  elif have_clang_sanitizers; then
    say "The sanitizers are those of clang."
    with_compiler clang run_sanitizers -Dwerror=true
  else
    say "The sanitizers are those of gcc, which report less: there is no clang with its runtime here."
    run_sanitizers
  fi
}

run_threads()
{
  run "$root/build-tsan" \
    '-Db_sanitize=thread -Db_lundef=false -Dbuildtype=debugoptimized -Dc_args=-DCNI_ONE_COPY' \
    '--timeout-multiplier 10 --suite base --suite simulation --no-suite long --no-suite one_thread'
}

# with_compiler COMPILER command...: in this shell; a subshell would lose the counts
with_compiler()
{
  saved=${CC:-} saved_cxx=${CXX:-}
  CC=$1
  # sanitizers of different compilers do not go together
  [ "$1" != clang ] || CXX=clang++
  export CC CXX
  shift
  "$@"
  done=$?
  CC=$saved CXX=$saved_cxx
  [ -n "$CC" ] || unset CC
  [ -n "$CXX" ] || unset CXX
  return $done
}

run_compilers()
{
  for compiler in gcc clang; do
    if have $compiler; then
      with_compiler $compiler run "$root/build-$compiler" -Dwerror=true '--no-suite thorough'
    else
      skip "build-$compiler" "there is no $compiler here"
    fi
  done
}

# The targets, by their files.
fuzz_targets()
{
  for source in "$root"/tests/fuzz/fuzz_*.c; do
    source=${source##*/fuzz_}
    echo "${source%.c}"
  done
}

# In one copy: clang takes a quarter of an hour for all copies of a kernel.
build_fuzz()
{
  # unquoted: a list
  configure "$1" -Dtests=enabled -Dfuzz=true -Dbench=false -Dpython=disabled \
    -Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=debugoptimized -Dc_args=-DCNI_ONE_COPY </dev/null &&
    meson compile -C "$1" $(fuzz_targets | sed 's/^/fuzz_/') </dev/null
}

# Every input that is found to break something is left in build-fuzz/found and counts as a failure.
run_fuzz()
{
  folder=$root/build-fuzz
  say "== ${folder##*/}"
  if ! have_fuzzer; then
    for target in $(fuzz_targets); do
      skip "build-fuzz/fuzz_$target" "there is no clang with libFuzzer here"
    done
    return
  fi
  if ! with_compiler clang build_fuzz "$folder"; then
    fail "${folder##*/}" 'the build failed'
    return
  fi
  rm -rf "$folder/found"
  mkdir -p "$folder/found"
  for target in $(fuzz_targets); do
    # inputs that reach new lines are kept for the next run, outside the tree
    mkdir -p "$folder/corpus/$target"
    log=$folder/found/$target.log
    if "$folder/tests/fuzz/fuzz_$target" -max_total_time="${FUZZ_SECONDS:-60}" -max_len=512 -timeout=10 \
      -artifact_prefix="$folder/found/$target-" "$folder/corpus/$target" \
      "$root/tests/fuzz/corpus/$target" >"$log" 2>&1 </dev/null; then
      passed=$((passed + 1))
      say "fuzz_$target: $(sed -n 's/^Done //p' "$log")"
    else
      tail -n 60 "$log" >&2
      fail "${folder##*/}/fuzz_$target" "see $folder/found"
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
      skip "build-$machine" 'there is no compiler or emulator for it here'
    fi
  done
  run_windows
  run_wasm
  run_posix
}

# The pinned numbers, and where cmocka can be made for it, the tests of all rooms. Both libraries are built.
run_windows()
{
  if ! portable_toolchain windows; then
    skip build-windows 'there is no MinGW-w64 or no Wine here'
    return
  fi
  suites='--suite portable' tests=auto files="--cross-file $root/tests/portable/windows.ini"
  if windows_cmocka "$root/build-windows-cmocka"; then
    files="$files --cross-file $root/build-windows-cmocka/cmocka.ini" tests=enabled
    for suite in base topology routing scenario queueing simulation systems study; do
      suites="$suites --suite $suite"
    done
  else
    skip 'build-windows, tests of rooms' 'the sources of cmocka are not to be had here'
  fi
  # Wine starts for the first program, which may take long
  WINEDEBUG=-all wine cmd /c ver >/dev/null 2>&1 </dev/null || :
  export WINEDEBUG=-all
  run "$root/build-windows" "$files -Dtests=$tests -Dbench=false -Dpython=disabled -Dc_args=-DCNI_ONE_COPY" \
    "--timeout-multiplier 10 --no-suite thorough $suites"
}

# The size is that of all functions of the library, without those of a host.
run_wasm()
{
  if ! portable_toolchain wasm; then
    skip build-wasm 'there is no Emscripten or no node here'
    return
  fi
  run "$root/build-wasm" "--cross-file $root/tests/portable/wasm.ini -Dtests=auto -Dbench=false
    -Dpython=disabled -Ddefault_library=static -Dthreads=disabled -Dc_args=-DCNI_ONE_COPY" \
    '--timeout-multiplier 10 --suite portable'
  names=$(cat "$root"/lib/symbols/core.txt "$root"/lib/symbols/experimental.txt | sed 's/.*/"_&"/' | paste -sd, -)
  printf '[%s,"_malloc","_free"]' "$names" >"$root/build-wasm/names.json"
  module=$root/build-wasm/cubenet.wasm
  if python3 "$root/lib/amalgamate.py" "$root/build-wasm" &&
    emcc -std=c11 -Os -ffp-contract=off -DCNI_THREADS=0 "$root/build-wasm/cubenet.c" -o "$module" --no-entry \
      -sEXPORTED_FUNCTIONS=@"$root/build-wasm/names.json" -sALLOW_MEMORY_GROWTH=1; then
    size=$(wc -c <"$module") packed=$(gzip -9 -c "$module" | wc -c)
    say "cubenet.wasm: $size bytes, $packed by gzip; at most 900000 and 350000"
    [ "$size" -le 900000 ] && [ "$packed" -le 350000 ] && passed=$((passed + 1)) && return
  fi
  fail build-wasm 'the module cannot be made, or is too large'
}

# The page is compiled by emcc, and its numbers are compared with those of the default build.
run_play()
{
  portable_toolchain wasm || :
  have chromium && have chromedriver || install_packages chromium chromium-driver || :
  if ! have emcc || ! have chromedriver; then
    skip play 'there is no Emscripten or no Chromium here'
    return
  fi
  run "$root/build" '' '--timeout-multiplier 4 --suite play'
}

# The library as one file by clang, with what POSIX.1-2008 promises and the C library musl, and the pinned numbers.
run_posix()
{
  folder=$root/build-posix
  say "== ${folder##*/}"
  include=/usr/include/$(gcc -dumpmachine | sed 's/gnu$/musl/')
  if ! portable_toolchain musl || ! have clang || [ ! -d "$include" ]; then
    skip build-posix 'there is no clang or no musl here'
    return
  fi
  mkdir -p "$folder"
  flags="-std=c11 -pedantic-errors -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wconversion -Wshadow -Wcast-qual -Werror
    -O1 -ffp-contract=off -nostdlibinc -isystem $include -I$folder -I$root/tests"
  # unquoted: a list
  if python3 "$root/lib/amalgamate.py" "$folder" &&
    clang $flags -c "$folder/cubenet.c" -o "$folder/cubenet.o" &&
    clang $flags -c "$root/tests/portable/test_numbers.c" -o "$folder/test_numbers.o" &&
    musl-gcc -static "$folder/test_numbers.o" "$folder/cubenet.o" -o "$folder/test_numbers" -lm &&
    "$folder/test_numbers" "$root/tests/portable/numbers.txt"; then
    passed=$((passed + 1))
  else
    fail build-posix 'the library needs more than POSIX, clang warns, or the numbers differ'
  fi
}

# The archive holds the library as one file, which compiles; the Debian packages have no error that lintian knows. Both are of
# the last commit.
run_packages()
{
  folder=$root/build-packages
  say "== ${folder##*/}"
  have lintian && have dh_python3 || install_packages lintian debhelper dh-python dpkg-dev || :
  if ! have git || ! git -C "$root" rev-parse HEAD >/dev/null 2>&1; then
    skip build-packages 'there is no git or no commit here'
    return
  fi
  rm -rf "$folder"
  if configure "$folder" -Dtests=disabled -Dbench=false &&
    meson dist -C "$folder" --no-tests --allow-dirty --formats gztar &&
    (cd "$folder/meson-dist" && tar xzf cubenet-*.tar.gz && cd cubenet-*/amalgamation &&
      cc -std=c11 -O0 -fsyntax-only cubenet.c); then
    passed=$((passed + 1))
  else
    fail build-packages 'the archive of a release is not made, or its single file does not compile'
    return
  fi
  if ! have lintian || ! have dh_python3; then
    skip 'build-packages, Debian' 'there is no lintian or no debhelper here'
    return
  fi
  # what the compiler optimizes does not matter here
  if (cd "$folder/meson-dist" && version=$(echo cubenet-*.tar.gz | sed 's/^cubenet-//; s/\.tar\.gz$//') &&
    cp "cubenet-$version.tar.gz" "cubenet_$version.orig.tar.gz" && cd "cubenet-$version" &&
    cp -r pkgconfig/debian debian && export DEB_CFLAGS_APPEND='-DCNI_ONE_COPY -O1' && unset CC CXX &&
    dpkg-buildpackage -us -uc && lintian --allow-root --fail-on error ../*.changes) </dev/null; then
    passed=$((passed + 1))
  else
    fail build-packages 'the Debian packages are not made, or lintian finds errors'
  fi
}

# Lines and branches of lib/ that some test reaches, counted by gcov without optimization, nothing left
# out. Threads race for the counters of gcov, so that a few come out as no counts at all: these are
# skipped. A figure below its limit is one failed test.
run_coverage()
{
  have gcovr || install_packages gcovr || :
  if ! have gcc || ! have gcovr; then
    skip build-coverage 'there is no gcc or no gcovr here'
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

usage()
{
  sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0" >&2
}

# What was skipped, why, and whether the list names it.
tell_skips()
{
  [ ! -s "$skips" ] || say "$(sed 's/^/skipped: /' "$skips")"
  [ -n "$list" ] || return 0
  not_allowed=$(python3 "$root/tests/skipped.py" --not-in "$list" <"$skips") || failed=$((failed + 1))
  [ -n "$not_allowed" ] || return 0
  say "Not named in $list, and so failed:" "
$not_allowed"
  failed=$((failed + $(printf '%s\n' "$not_allowed" | grep -c .)))
}

parts='' list=''
while [ $# -gt 0 ]; do
  case $1 in
  --full | --sanitize | --threads | --fuzz | --coverage | --portable | --play | --packages | --compilers) parts="$parts ${1#--}" ;;
  --all) parts="$parts full compilers sanitize threads fuzz coverage portable play packages" ;;
  --skips)
    list=${2:-}
    [ -r "$list" ] || die "--skips takes a file that can be read, not '$list'."
    shift
    ;;
  *)
    usage
    [ "$1" = --help ]
    exit
    ;;
  esac
  shift
done

prepare tests
for part in ${parts:-default}; do
  case $part in
  full) prepare_others ;;
  sanitize | fuzz) prepare_clang ;;
  compilers) have clang || install_packages clang || : ;;
  esac
done
for part in ${parts:-default}; do
  run_$part
done

tell_skips
[ ! -s "$failures" ] || say "$(sed 's/^/failed: /' "$failures")"
summary="$passed passed, $failed failed"
[ $skipped = 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ $failed = 0 ]
