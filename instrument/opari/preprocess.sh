# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# Before a tool reads it, each source is preprocessed where the compiler would do it. That makes
# conditional and _Pragma directives, and those in headers, plain ones.

# Preprocesses a source in C or C++, if it is not, and writes the dependencies that are asked for.
preprocess_c() {
  local source=$1 language=$2 object=$3 output=$4
  if [[ $language == *-done ]]; then
    cp "$source" "$output.all" || exit 1
  else
    complete_depend_options "$object"
    step "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
      "${preprocess_options[@]+"${preprocess_options[@]}"}" \
      "${depend_options[@]+"${depend_options[@]}"}" -E -x "$language" "$source" -o "$output.all"
  fi
  # With -g, GCC marks its working folder with two slashes, which OPARI 1 takes for a comment.
  sed '/^# [0-9]* ".*\/\/"$/d' "$output.all" | hide_directives "$tool_kind" "$source" >"$output" || exit 1
}

# Writes the declarations of a tool's header. Nothing may be included with them: what a source defines
# before its first include, _GNU_SOURCE for instance, decides on what the system's headers declare. A
# lock is passed by its address, whatever it is.
write_declarations() {
  local kind=$1 header=$2 output=$3
  {
    printf '#define %s\n' 'int64_t __INT64_TYPE__' 'size_t __SIZE_TYPE__' \
      'omp_lock_t void' 'omp_nest_lock_t void'
    grep -v '^#include' "$header" || exit 1
  } >"$output.in" || exit 1
  step "$compiler" "${compile_options[@]+"${compile_options[@]}"}" -E -P -x "$kind" "$output.in" \
    -o "$output"
}

# A Fortran preprocessor's and the tool's line markers as all compilers read them without another
# preprocessing, which could change the text.
plain_line_markers() {
  sed -e 's/^#line \([0-9][0-9]*\) \(".*"\)/# \1 \2/' \
    -e 's/^#line \(".*"\) \([0-9][0-9]*\)/# \2 \1/' "$@"
}

# OPARI2 puts the folder of what it has read before each relative name: the source's own is wanted.
without_scratch_folder() {
  FOLDER="\"$scratch/" awk '
    /^#(line)? *[0-9]+ "/ && (at = index($0, ENVIRON["FOLDER"])) {
      $0 = substr($0, 1, at) substr($0, at + length(ENVIRON["FOLDER"]))
    }
    { print }
  ' "$@"
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
    plain_line_markers "$output.cpp" | separate_continuations |
      hide_directives "$tool_kind" "$source" >"$output" || exit 1
  else
    { printf '# 1 "%s"\n' "$source" && cat "$source"; } | separate_continuations |
      hide_directives "$tool_kind" "$source" >"$output" || exit 1
  fi
}
