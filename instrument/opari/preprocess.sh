# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
#
# If the compiler preprocesses a source, this step preprocesses the source before OPARI reads it. The preprocessed source has plain
# directives instead of conditional directives, _Pragma, and directives in headers.

# Preprocesses a C or C++ source, and writes the dependencies if an option asks for them. The option -Wimplicit-fallthrough reads comments.
# So comments are kept for this option.
preprocess_c() {
  local source=$1 language=$2 object=$3 output=$4 option comments=()
  for option in "${compile_options[@]+"${compile_options[@]}"}"; do
    case $option in
      -W | -Wextra | -Wimplicit-fallthrough*) comments=(-C) ;;
    esac
  done
  if [[ $language == *-done ]]; then
    cp "$source" "$output"
  else
    complete_depend_options "$object"
    held "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
      "${preprocess_options[@]+"${preprocess_options[@]}"}" \
      "${depend_options[@]+"${depend_options[@]}"}" "${comments[@]+"${comments[@]}"}" -E -x "$language" "$source" -o "$output"
  fi
}

# Fortran preprocessors write line marks in different forms. Changes them to a form that each compiler reads. The compiler then need not
# preprocess again, which could change the text.
plain_line_markers() {
  sed -e 's/^#line \([0-9][0-9]*\) \(".*"\)/# \1 \2/' \
    -e 's/^#line \(".*"\) \([0-9][0-9]*\)/# \2 \1/' "$@"
}

# Writes the source that is to be instrumented, with marks for its name and lines. If the name of `language` ends with -cpp, preprocesses
# the source first. gfortran ignores the line number in the first mark. So two marks are written.
preprocess_fortran() {
  local source=$1 language=$2 output=$3
  if [[ $language == *-cpp ]]; then
    held "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
      "${preprocess_options[@]+"${preprocess_options[@]}"}" -cpp -E "$source" -o "$output.cpp" &&
      plain_line_markers "$output.cpp" >"$output"
  else
    { printf '# 1 "%s"\n' "$source" "$source" && cat "$source"; } >"$output" 2>>"$messages"
  fi
}
