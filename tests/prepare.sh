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

# Whether clang is here with its sanitizers, and with its libFuzzer.
have_clang_sanitizers()
{
  have clang && (CC=clang; compiles -fsanitize=address,undefined)
}

have_fuzzer()
{
  have clang && (CC=clang; compiles -fsanitize=fuzzer-no-link,address,undefined &&
    [ -e "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a")" ])
}

# Prints the Debian names of the packages that are missing; with "tests" also those for the tests.
missing_packages()
{
  have meson || echo meson
  have ninja || have ninja-build || have samu || echo ninja-build
  have python3 || echo python3
  compiles || echo gcc libc6-dev
  [ "${1:-}" != '' ] || return 0
  have pkg-config || echo pkg-config
  have pkg-config && pkg-config --exists cmocka || echo libcmocka-dev
}

# Prints why packages cannot be installed here, if so.
cannot_install()
{
  if ! have apt-get; then
    echo 'there is no apt-get here'
  elif [ "$(id -u)" != 0 ] && ! { have sudo && sudo -n true 2>/dev/null; }; then
    echo 'you are not root, and there is no sudo that asks for no password'
  fi
}

# Runs apt-get where we may, without ever asking anything.
install_packages()
{
  [ -z "$(cannot_install)" ] || return 1
  as_root=
  [ "$(id -u)" = 0 ] || as_root='sudo -n'
  say "Installing: $*"
  if [ -z "${updated:-}" ]; then
    $as_root apt-get update -qq </dev/null >&2 || say "apt-get update failed; trying without"
    updated=yes
  fi
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
  missing=${missing% }
  [ -n "$missing" ] || return 0
  why=$(cannot_install)
  die "Missing: $missing
They are not installed: ${why:-apt-get has failed}.
On Debian or Ubuntu, as root: apt-get install $missing
Elsewhere install meson, ninja, a C compiler, python3, pkg-config and cmocka, then try again."
}

# Packages without which some tests are skipped; where one of them is not to be had, the others may be.
wish_for()
{
  [ $# -gt 0 ] || return 0
  why=$(cannot_install)
  if [ -n "$why" ]; then
    say "Not installed, since $why: $*"
    say "The tests that need them are skipped."
    return
  fi
  install_packages "$@" ||
    for package; do
      install_packages "$package" || say "Without $package its tests are skipped"
    done
}

# clang, its sanitizers and its libFuzzer.
prepare_clang()
{
  have clang || wish_for clang
  ! have clang || have_fuzzer || wish_for "libclang-rt-$(clang -dumpversion | sed 's/\..*//')-dev"
}

# Prints the Debian names of what the hosts of docs/examples/hosts/, the package for CMake and the site of the
# documentation are tried with, and of what the interface is compared with.
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
  for program in clang doxygen chromium git; do
    have $program || echo $program
  done
  for module in sphinx:python3-sphinx myst_parser:python3-myst-parser breathe:python3-breathe furo:furo \
    sphinx_copybutton:python3-sphinx-copybutton; do
    [ -e "/usr/lib/python3/dist-packages/${module%%:*}" ] || echo "${module#*:}"
  done
  [ -e /usr/share/javascript/mathjax/MathJax.js ] || echo libjs-mathjax
  have gnuplot || echo gnuplot-nox
  have dot || echo graphviz
  have abidiff || echo abigail-tools
  [ -e /usr/share/i18n/locales/de_DE ] || echo locales
}

# Prints the Debian names of what some tests of Python need.
missing_python()
{
  python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
  for module in numpy pandas networkx matplotlib; do
    [ -e /usr/lib/python3/dist-packages/$module ] || python3 -c "import $module" 2>/dev/null ||
      echo python3-$module
  done
  have mypy || echo mypy
}

# Without them their tests are skipped.
prepare_others()
{
  # unquoted: a list
  wish_for $(missing_hosts; missing_python)
}

# Whether the compiler of tests/portable/MACHINE.ini makes programs, and what runs them is there.
makes_programs()
{
  case $1 in
  m32) (CC='gcc -m32' && compiles -static -lm) ;;
  musl) (CC=musl-gcc && compiles -static -lm) ;;
  windows) have wine && (CC=x86_64-w64-mingw32-gcc-posix && compiles -static -lm) ;;
  wasm) have node && (CC=emcc && compiles) ;;
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
  windows) packages='gcc-mingw-w64-x86-64-posix wine wine64' ;;
  wasm) packages='emscripten nodejs' ;;
  aarch64) packages='qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross' ;;
  s390x) packages='qemu-user-static gcc-s390x-linux-gnu libc6-dev-s390x-cross' ;;
  esac
  # unquoted: a list
  install_packages $packages && makes_programs "$1"
}

# windows_cmocka FOLDER: cmocka for the compiler of tests/portable/windows.ini, from the sources of the Debian package, with a
# second cross file for Meson, FOLDER/cmocka.ini. It fails where there are no sources.
windows_cmocka()
{
  [ -e "$1/cmocka.ini" ] && return
  mkdir -p "$1/sources/lists/partial" "$1/include" || return
  for source in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [ -e "$source" ] && sed 's/^deb /deb-src /; s/^Types: deb$/Types: deb-src/' "$source" >"$1/sources/${source##*/}"
  done
  apt="apt-get -q -o Dir::Etc::sourceparts=$1/sources -o Dir::Etc::sourcelist=/dev/null"
  apt="$apt -o Dir::State::lists=$1/sources/lists -o APT::Sandbox::User=root"
  (cd "$1" && $apt update && $apt source --download-only cmocka && tar xf cmocka_*.orig.tar.[gx]z) >&2 || return
  cp "$1"/cmocka-*/include/cmocka.h "$1/include" || return
  x86_64-w64-mingw32-gcc-posix -O1 -c "$1"/cmocka-*/src/cmocka.c -I"$1/include" -I"$(echo "$1"/cmocka-*/include)" \
    -DHAVE_STDLIB_H -DHAVE_STDIO_H -DHAVE_STRING_H -DHAVE_STDINT_H -DHAVE_INTTYPES_H -DHAVE_TIME_H -DHAVE_SETJMP_H \
    -DHAVE_MALLOC_H -DHAVE_SIGNAL_H -DHAVE_IO_H -o "$1/cmocka.o" &&
    x86_64-w64-mingw32-gcc-ar-posix rcs "$1/libcmocka.a" "$1/cmocka.o" || return
  printf 'Name: cmocka\nDescription: unit tests\nVersion: 1.1\nCflags: -I%s/include\nLibs: -L%s -lcmocka\n' "$1" "$1" \
    >"$1/cmocka.pc"
  printf "[binaries]\npkgconfig = 'pkg-config'\n\n[properties]\npkg_config_libdir = '%s'\n" "$1" >"$1/cmocka.ini"
}

# configure FOLDER [meson option...]: a fresh build folder, or the one that is there brought up to
# date. A folder that is broken or was made for other compilers is made anew.
configure()
{
  folder=$1
  shift
  if [ -e "$folder/configured-for-cc" ]; then
    [ "$(cat "$folder/configured-for-cc")" = "${CC:-} ${CXX:-}" ] || rm -rf "$folder"
  fi
  if [ -e "$folder/build.ninja" ]; then
    meson setup --reconfigure "$@" "$folder" "$root" </dev/null && return
    say "$folder is broken; making it anew"
  fi
  rm -rf "$folder"
  meson setup "$@" "$folder" "$root" </dev/null || return
  printf '%s\n' "${CC:-} ${CXX:-}" >"$folder/configured-for-cc"
}
