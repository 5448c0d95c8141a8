# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# OPARI2: what it writes is made independent of headers, and completed, before it is compiled.

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
  without_scratch_folder "$instrumented" >"$instrumented.named" &&
    mv "$instrumented.named" "$instrumented" || exit 1
}

is_clang() {
  "$compiler" -dM -E -x c /dev/null 2>/dev/null | grep '#define __clang__' >/dev/null
}

compile_c() {
  local source=$1 language=$2 object=$3
  local kind=${language%-done} suffix=c name folder
  [ "$kind" = c++ ] && suffix=cpp
  name=$scratch/$(basename "${source%.*}")
  preprocess_c "$source" "$language" "$object" "$name.source"
  # Clang takes a copyin clause in a lambda expression only if that captures everything.
  local carry=(--omp-tpd)
  [ "$kind" = c++ ] && is_clang && carry=()
  folder=$(opari2-config --cflags) || exit 1
  write_declarations "$kind" "${folder#-I}/opari2/pomp2_lib.h" "$name.prefix"
  printf '___POMP2_INCLUDE___\n' >>"$name.prefix"
  cat "$name.prefix" "$name.source" >"$name.$suffix" || exit 1
  instrument "$source" "$language" "$tool" --preprocessed --omp-task-untied=keep \
    "${carry[@]+"${carry[@]}"}" "${tool_options[@]+"${tool_options[@]}"}" "$name.$suffix" "$name.mod.$suffix"
  complete_output "$name.$suffix.opari.inc" "$name.mod.$suffix"
  show_directives "$name.mod.$suffix"
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
    tolower($0) ~ /^[ \t]*[!c*]\$omp[ \t]*parallel/ { flush(); holding = 1; done = 0 }
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
  plain_line_markers "$name.raw.$suffix" | without_scratch_folder | private_fork_variables >"$name.mod.$suffix" || exit 1
  show_directives "$name.mod.$suffix"
  instrument "$source" "$language" "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
    -I "$scratch" -I "$(dirname "$source")" -c "$name.mod.$suffix" -o "$object"
}
