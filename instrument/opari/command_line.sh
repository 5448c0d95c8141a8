# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034
#
# Separates our own options from the compiler's command line.

usage() {
  cat <<EOF
usage: nestbind-instrument [options] COMPILER ARGUMENTS...
Compiles and links as COMPILER does, with each OpenMP source instrumented.

  --opari1           use OPARI 1 in place of OPARI2; one file at a time
  --rc FILE          OPARI 1's state, one for each program (default: \$NESTBIND_OPARI_RC, opari.rc)
  --opari PATH       the tool (default: \$NESTBIND_OPARI, or opari2 or opari of the search path)
  --tool-option ARG  an option for the tool; may be repeated
  --no-rpath         do not write the folder of nestbind's library into the program
  --keep DIR         leave the instrumented sources in DIR
  --verbose          show each command
  --help, --version
EOF
}

usage_error() {
  printf '%s: %s; try --help\n' "$self" "$1" >&2
  exit 2
}

need_value() { [ $# -gt 1 ] || usage_error "$1 needs a value"; }

read_own_options() {
  tool_kind=opari2
  tool=${NESTBIND_OPARI:-}
  tool_options=()
  state=${NESTBIND_OPARI_RC:-opari.rc}
  use_rpath=yes keep='' verbose=no
  local given=$#
  while [ $# -gt 0 ]; do
    case $1 in
      --opari1) tool_kind=opari1 ;;
      --opari2) tool_kind=opari2 ;;
      --rc) need_value "$@" && state=$2 && shift ;;
      --opari) need_value "$@" && tool=$2 && shift ;;
      --tool-option) need_value "$@" && tool_options+=("$2") && shift ;;
      --keep) need_value "$@" && keep=$2 && shift ;;
      --no-rpath) use_rpath=no ;;
      --verbose) verbose=yes ;;
      --help) usage && exit 0 ;;
      --version) printf '%s @PROJECT_VERSION@\n' "$self" && exit 0 ;;
      --) shift && break ;;
      -*) usage_error "unknown option $1" ;;
      *) break ;;
    esac
    shift
  done
  own_options=$((given - $#))
  [ -n "$tool" ] || tool=${tool_kind%1}
}

# "@FILE" is replaced by the arguments in the file, as the compiler itself would do.
expand_response_files() {
  local argument line
  expanded=()
  for argument in "$@"; do
    if [[ $argument == @* && -f ${argument#@} ]]; then
      while IFS= read -r -d '' line; do
        expanded+=("$line")
      done < <(xargs printf '%s\0' <"${argument#@}")
    else
      expanded+=("$argument")
    fi
  done
}

# CMake puts a compiler cache before the compiler. Sources that OPARI has instrumented are compiled without the cache.
read_cache() {
  cache=()
  while [ $# -gt 0 ]; do
    case ${1##*/} in
      ccache | sccache) ;;
      *=*) [ ${#cache[@]} -gt 0 ] || break ;; # a setting of the cache
      *) break ;;
    esac
    cache+=("$1")
    shift
  done
}

need_compiler() {
  local name
  for name in ${cache[@]+"$cache"} "$compiler"; do
    if ! command -v -- "$name" >/dev/null; then
      complain "the compiler $name is not found"
      exit 127
    fi
  done
}

is_compiler() {
  case ${1##*/} in
    ar | *-ar | *-ar-* | gcc-ar* | llvm-ar* | ranlib | *-ranlib* | ld | ld.* | *-ld | cmake | : | sh) return 1 ;;
  esac
}

is_flang() { [[ ${1##*/} == *flang* ]]; }

# The language of a source by its name: c, c++, free or fixed. "-cpp" is added if Fortran must be preprocessed, and "-done" if C is already
# preprocessed. The language is empty for files that only the linker takes.
language_of() {
  case $1 in
    *.c) echo c ;;
    *.i) echo c-done ;;
    *.cc | *.cp | *.cxx | *.cpp | *.CPP | *.c++ | *.C) echo c++ ;;
    *.ii) echo c++-done ;;
    *.f90 | *.f95 | *.f03 | *.f08) echo free ;;
    *.F90 | *.F95 | *.F03 | *.F08) echo free-cpp ;;
    *.f | *.for | *.ftn) echo fixed ;;
    *.F | *.FOR | *.FTN | *.fpp | *.FPP) echo fixed-cpp ;;
  esac
}

named_language() {
  case $1 in
    c | c++) echo "$1" ;;
    cpp-output) echo c-done ;;
    c++-cpp-output) echo c++-done ;;
    f95) echo free ;;
    f95-cpp-input) echo free-cpp ;;
    f77) echo fixed ;;
    f77-cpp-input) echo fixed-cpp ;;
    none) echo none ;;
    *) echo other ;;
  esac
}

# Sorts the compiler's arguments into variables:
#   arguments        all arguments
#   inputs           the positions of the files in `arguments`
#   languages        the language of each file (indexed by position)
#   language_options the positions of -x options and of their values
#   named_languages  the languages that -x names (indexed by position)
#   mode             compile (-c), link, or other
#   output           the file that -o names, or empty
#   has_openmp       yes if the arguments turn OpenMP on
read_command_line() {
  arguments=("$@")
  inputs=()
  languages=()
  language_options=()
  named_languages=()
  mode=link has_openmp=no output='' fortran_form='' fortran_cpp='' fixed_width=72
  local i named='' raw='' argument
  for ((i = 0; i < ${#arguments[@]}; ++i)); do
    argument=${arguments[$i]}
    case $argument in
      -c) mode=compile ;;
      -S | -E | -M | -MM | -fsyntax-only | -emit-llvm | -###) mode=other ;;
      -o)
        i=$((i + 1))
        output=${arguments[$i]:-}
        ;;
      -o?*) output=${argument#-o} ;;
      -x)
        i=$((i + 1))
        language_options+=("$((i - 1))" "$i")
        raw=${arguments[$i]:-}
        named=$(named_language "$raw")
        ;;
      -x?*)
        language_options+=("$i")
        raw=${argument#-x}
        named=$(named_language "$raw")
        ;;
      -fopenmp | -fopenmp=* | -qopenmp | -mp | -openmp) has_openmp=yes ;;
      -fno-openmp) has_openmp=no ;;
      -ffree-form) fortran_form=free ;;
      -ffixed-form) fortran_form=fixed ;;
      -ffixed-line-length-none | -ffixed-line-length-0 | -ffixed-line-length=none) fixed_width=1000000 ;;
      -ffixed-line-length-[0-9]*) fixed_width=${argument#-ffixed-line-length-} ;;
      -ffixed-line-length=[0-9]*) fixed_width=${argument#-ffixed-line-length=} ;;
      -cpp) fortran_cpp=-cpp ;;
      -nocpp) fortran_cpp=no ;;
      -) mode=other ;;
      -*) takes_value "$argument" && i=$((i + 1)) ;;
      *)
        inputs+=("$i")
        case $named in
          '' | none) languages[i]=$(language_of "$argument") ;;
          other) languages[i]= ;;
          *) languages[i]=$named named_languages[i]=$raw ;;
        esac
        ;;
    esac
  done
}

is_input() { [[ " ${inputs[*]} " == *" $1 "* ]]; }

takes_value() {
  case $1 in
    -I | -D | -U | -L | -l | -J | -A | -B | -T | -u | -z | -e | -h | -G | -F | -MF | -MT | -MQ) ;;
    -include | -imacros | -isystem | -iquote | -idirafter | -iprefix | -iwithprefix) ;;
    -iwithprefixbefore | -isysroot | -imultilib | -imultiarch | -Xlinker | -Xassembler) ;;
    -Xpreprocessor | -Xclang | -Xflang | -mllvm | -target | -arch | -aux-info | --param) ;;
    -dumpbase | -dumpbase-ext | -dumpdir | -wrapper | -module-dir | -soname | -rpath) ;;
    -fintrinsic-modules-path | -Xopenmp-target | -Xarch_host | -framework) ;;
    *) return 1 ;;
  esac
}
