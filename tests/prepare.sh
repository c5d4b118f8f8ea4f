# Sourced by tests/run.sh and docs/quickstart.sh, which set $root to the top of the tree: finds or
# installs what a build needs, and configures build folders.

say()
{
  printf '%s\n' "$*" >&2
}

die()
{
  say "$@"
  exit 1
}

have()
{
  command -v "$1" >/dev/null 2>&1
}

# Whether a program using the C library compiles with the options given, and links.
compiles()
{
  cc=${CC:-}
  [ -n "$cc" ] || for cc in cc gcc clang; do have "$cc" && break; done
  work=$(mktemp -d) || die "cannot make a temporary folder"
  printf '#include <math.h>\n#include <stdio.h>\nint main(void) { return 0; }\n' >"$work/a.c"
  # unquoted: CC may hold options, as in CC="ccache gcc"
  $cc -o "$work/a.out" "$work/a.c" "$@" >/dev/null 2>&1
  compiled=$?
  rm -rf "$work"
  return $compiled
}

# Whether clang is here with its libFuzzer.
have_fuzzer()
{
  have clang && (CC=clang; compiles -fsanitize=fuzzer-no-link,address,undefined &&
    [ -e "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a")" ])
}

# Prints the Debian names of the packages that are missing; with "tests" also those for the tests, with
# "fuzz" those for libFuzzer.
missing_packages()
{
  have meson || echo meson
  have ninja || have ninja-build || have samu || echo ninja-build
  have python3 || echo python3
  compiles || echo gcc libc6-dev
  if [ "${1:-}" = fuzz ]; then
    have clang || echo clang
    have_fuzzer || echo libclang-rt-dev
  fi
  [ "${1:-}" != '' ] || return 0
  have pkg-config || echo pkg-config
  have pkg-config && pkg-config --exists cmocka || echo libcmocka-dev
}

# Runs apt-get where we may, without ever asking anything.
install_packages()
{
  have apt-get || return 1
  as_root=
  if [ "$(id -u)" != 0 ]; then
    have sudo && sudo -n true 2>/dev/null || return 1
    as_root='sudo -n'
  fi
  say "Installing: $*"
  $as_root apt-get update -qq </dev/null >&2 || say "apt-get update failed; trying without"
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" </dev/null >&2
}

# prepare [tests]: everything that a build (and its tests) needs is there afterwards.
prepare()
{
  if [ -n "${CC:-}" ] && ! compiles; then
    die "CC=$CC does not compile a C program. Name another compiler, or unset CC."
  fi
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  install_packages $missing || :
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -z "$missing" ] || die "Missing and not installed: ${missing% }
On Debian or Ubuntu: sudo apt-get install ${missing% }
Elsewhere install meson, ninja, a C compiler, python3, pkg-config and cmocka, then try again."
}

# Prints the Debian names of what the hosts of docs/examples/hosts/, the package for CMake and the site of the
# documentation are tried with.
missing_hosts()
{
  have c++ || echo g++
  have cmake || echo cmake
  for host in systemc simgrid; do
    pkg-config --exists $host 2>/dev/null || echo lib$host-dev
  done
  [ -e /usr/include/ns3/core-config.h ] || echo libns3-dev
  have mpicc || echo libopenmpi-dev
  have mpirun || echo openmpi-bin
  for program in pandoc doxygen chromium; do
    have $program || echo $program
  done
  have sphinx-build || have pdoc || echo python3-sphinx
  have gnuplot || echo gnuplot-nox
  have dot || echo graphviz
}

# Prints the Debian names of what some tests of Python need.
missing_python()
{
  python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
  [ -e /usr/lib/python3/dist-packages/numpy ] || python3 -c 'import numpy' 2>/dev/null ||
    echo python3-numpy
  have mypy || echo mypy
}

# Without them their tests are skipped.
prepare_others()
{
  missing=$({ missing_hosts; missing_python; } | tr '\n' ' ')
  # unquoted: a list; where one of them is not to be had, the others may be
  [ -z "$missing" ] || install_packages $missing ||
    for package in $missing; do
      install_packages "$package" || say "Without $package its tests are skipped"
    done
}

# Whether the compiler of tests/portable/MACHINE.ini makes programs, and what runs them is there.
makes_programs()
{
  case $1 in
  m32) (CC='gcc -m32' && compiles -static -lm) ;;
  musl) (CC=musl-gcc && compiles -static -lm) ;;
  *) have "qemu-$1-static" && (CC=$1-linux-gnu-gcc && compiles -static -lm) ;;
  esac
}

# portable_toolchain MACHINE: the same, after an attempt to install what is missing.
portable_toolchain()
{
  makes_programs "$1" && return
  case $1 in
  # gcc-multilib itself conflicts with compilers for other machines
  m32) packages="gcc-$(gcc -dumpversion)-multilib" ;;
  musl) packages=musl-tools ;;
  aarch64) packages='qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross' ;;
  s390x) packages='qemu-user-static gcc-s390x-linux-gnu libc6-dev-s390x-cross' ;;
  esac
  # unquoted: a list
  install_packages $packages && makes_programs "$1"
}

# configure FOLDER [meson option...]: a fresh build folder, or the one that is there brought up to
# date. A folder that is broken or was made for another compiler is made anew.
configure()
{
  folder=$1
  shift
  if [ -e "$folder/configured-for-cc" ]; then
    [ "$(cat "$folder/configured-for-cc")" = "${CC:-}" ] || rm -rf "$folder"
  fi
  if [ -e "$folder/build.ninja" ]; then
    meson setup --reconfigure "$@" "$folder" "$root" </dev/null && return
    say "$folder is broken; making it anew"
  fi
  rm -rf "$folder"
  meson setup "$@" "$folder" "$root" </dev/null || return
  printf '%s\n' "${CC:-}" >"$folder/configured-for-cc"
}
