# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# OPARI2: each source is preprocessed, instrumented and compiled. Preprocessing first makes conditional
# and _Pragma directives, and those in headers, plain ones.

# Writes the declarations of pomp2_lib.h, and the mark behind which OPARI2 puts its own. Nothing may be
# included here: what a source defines before its first include, _GNU_SOURCE for instance, decides
# on what the system's headers declare. A lock is passed by its address, whatever it is.
write_prefix() {
  local kind=$1 prefix=$2 folder
  folder=$(opari2-config --cflags) || exit 1
  {
    printf '#define %s\n' 'int64_t __INT64_TYPE__' 'size_t __SIZE_TYPE__' \
      'omp_lock_t void' 'omp_nest_lock_t void'
    grep -v '^#include' "${folder#-I}/opari2/pomp2_lib.h" || exit 1
  } >"$prefix.in" || exit 1
  step "$compiler" "${compile_options[@]+"${compile_options[@]}"}" -E -P -x "$kind" "$prefix.in" \
    -o "$prefix"
  printf '___POMP2_INCLUDE___\n' >>"$prefix"
}

# Makes what OPARI2 has written independent of headers, which have been preprocessed already, and of
# the warnings that the user has made errors: its variables are initialised. The word that it carries
# to the members is a thread-local variable in any case; said so, GCC takes it in templates too.
complete_output() {
  local declarations=$1 instrumented=$2
  sed -i -e '/^#include </d' -e 's/^extern int64_t \(.*pomp_tpd;\)/extern __thread __INT64_TYPE__ \1/' \
    -e '/^#pragma omp threadprivate(pomp_tpd)/d' -e 's/ = NULL;$/ = 0;/' \
    "$declarations" || exit 1
  sed -i -e 's/^  int pomp2_num_threads = omp_get_max_threads();$/  int pomp2_num_threads = POMP2_Lib_get_max_threads();/' \
    -e 's/\(POMP2_Task_handle pomp2_\(old\|new\)_task\);/\1 = 0;/' "$instrumented" || exit 1
}

is_clang() {
  "$compiler" -dM -E -x c /dev/null 2>/dev/null | grep '#define __clang__' >/dev/null
}

compile_c() {
  local source=$1 language=$2 object=$3
  local kind=${language%-done} suffix=c name
  [ "$kind" = c++ ] && suffix=cpp
  name=$scratch/$(basename "${source%.*}")
  if [ "$language" = "$kind" ]; then
    complete_depend_options "$object"
    step "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
      "${preprocess_options[@]+"${preprocess_options[@]}"}" \
      "${depend_options[@]+"${depend_options[@]}"}" -E -x "$kind" "$source" -o "$name.source"
  else
    cp "$source" "$name.source" || exit 1
  fi
  # Clang takes a copyin clause in a lambda expression only if that captures everything.
  local carry=(--omp-tpd)
  [ "$kind" = c++ ] && is_clang && carry=()
  write_prefix "$kind" "$name.prefix"
  cat "$name.prefix" "$name.source" >"$name.$suffix" || exit 1
  instrument "$source" "$language" "$tool" --preprocessed --omp-task-untied=keep \
    "${carry[@]+"${carry[@]}"}" "${tool_options[@]+"${tool_options[@]}"}" "$name.$suffix" "$name.mod.$suffix"
  complete_output "$name.$suffix.opari.inc" "$name.mod.$suffix"
  instrument "$source" "$language" "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
    -iquote "$scratch" -c -x "$kind" "$name.mod.$suffix" -o "$object"
}

# OPARI2 keeps the size and the condition of a fork in variables that all threads of the enclosing
# region share, unless that has default(none): threads that fork teams of their own would disturb
# each other. Makes them private for each parallel region, as it does there.
private_fork_variables() {
  awk '
    function flush(    i) {
      for (i = 0; i < held; ++i) {
        if (!done && number[i]) {
          print (fixed[i] ? "!$omp& private(pomp2_if,pomp2_num_threads)" \
                          : "  !$omp private(pomp2_if,pomp2_num_threads) &")
        }
        print line[i]
      }
      held = 0
    }
    /^[ ]*[!cC*]\$omp[ ]+parallel/ { flush(); holding = 1; done = 0 }
    holding {
      line[held] = $0
      number[held] = index($0, "num_threads(pomp2_num_threads)") > 0
      fixed[held] = $0 ~ /^!\$omp&/
      if (index($0, "private(pomp2_if,pomp2_num_threads)")) done = 1
      ++held
      if (index($0, "call POMP2_Parallel_begin(")) { flush(); holding = 0 }
      next
    }
    { print }
    END { flush() }
  ' "$@"
}

# Instruments and compiles a Fortran source. The tool writes what it declares beside what it reads.
compile_fortran() {
  local source=$1 language=$2 object=$3
  local form=${language%-cpp} suffix=f90 dialect=--f90 form_option=--free-form name carry=(--omp-tpd)
  if [ "$form" = fixed ]; then
    suffix=f dialect=--f77 form_option=--fix-form
  fi
  name=$scratch/$(basename "${source%.*}")
  preprocess_fortran "$source" "$language" "$name.$suffix"
  # flang keeps threadprivate data elsewhere than the other languages do.
  is_flang "$compiler" && carry=()
  instrument "$source" "$language" "$tool" $dialect $form_option --omp-task-untied=keep "${carry[@]+"${carry[@]}"}" \
    "${tool_options[@]+"${tool_options[@]}"}" "$name.$suffix" "$name.raw.$suffix"
  plain_line_markers "$name.raw.$suffix" | private_fork_variables >"$name.mod.$suffix" || exit 1
  instrument "$source" "$language" "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
    -I "$scratch" -I "$(dirname "$source")" -c "$name.mod.$suffix" -o "$object"
}

# OPARI2 overlooks a clause that follows the continuation character of a directive without a blank, and
# would add a second num_threads. In fixed form a line must not get longer than it may be.
separate_continuations() {
  awk '
    /^[!cC*]\$[oO][mM][pP][^ 0][^ ]/ && length($0) < 72 { $0 = substr($0, 1, 6) " " substr($0, 7) }
    /^[ \t]+!\$[oO][mM][pP][ \t]*&[^ ]/ { sub(/&/, "\\& ") }
    { print }
  ' "$@"
}

# Writes the source as it is to be instrumented, with its name and lines marked.
preprocess_fortran() {
  local source=$1 language=$2 output=$3
  if [[ $language == *-cpp ]]; then
    step "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
      "${preprocess_options[@]+"${preprocess_options[@]}"}" -cpp -E "$source" -o "$output.cpp"
    plain_line_markers "$output.cpp" | separate_continuations >"$output" || exit 1
  else
    { printf '# 1 "%s"\n' "$source" && cat "$source"; } | separate_continuations >"$output" || exit 1
  fi
}
