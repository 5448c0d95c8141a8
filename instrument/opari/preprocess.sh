# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# Before it is instrumented, each source is preprocessed if the compiler would do it. That makes
# conditional and _Pragma directives, and those in headers, plain ones.

# Preprocesses a source in C or C++, if it is not, and writes the dependencies that are asked for. A
# comment may say that a case falls through on purpose, so comments are kept if an option asks for that.
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

# A Fortran preprocessor's line markers as all compilers read them without another preprocessing, which
# could change the text.
plain_line_markers() {
  sed -e 's/^#line \([0-9][0-9]*\) \(".*"\)/# \1 \2/' \
    -e 's/^#line \(".*"\) \([0-9][0-9]*\)/# \2 \1/' "$@"
}

# Writes the source as it is to be instrumented, with its name and lines marked; twice, because gfortran
# takes the source's name from the first mark and nothing else.
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
