# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# OPARI 1: regions are numbered through the whole program, in a state file that the tool rewrites for
# each source. So it runs under a lock, on sources that keep one name: links in a folder beside the
# state, where it also leaves its output. Sources are not preprocessed first.

# The folder of the headers that come with the tool.
opari1_include() {
  local folder
  folder=$(dirname "$(dirname "$(readlink -f "$(command -v "$tool")")")")/include
  [ -f "$folder/pomp_lib.h" ] && printf '%s' "$folder"
}

# Under the lock on descriptor 9: instruments `link`, with the source's own name in what comes out.
run_opari1() {
  local source=$1 language=$2 link=$3 output=$4 dialect
  case $language in
    c) dialect=-c ;;
    c++) dialect=-c++ ;;
    fixed*) dialect=-f77 ;;
    *) dialect=-f90 ;;
  esac
  # A source is processed again whenever it is compiled again: no reason for a warning.
  try "$tool" $dialect -rcfile "$state_file" "${tool_options[@]+"${tool_options[@]}"}" \
    "$link" "$output" 2>"$scratch/opari1.messages"
  local status=$?
  grep -v '^WARNING: .* was already processed$' "$scratch/opari1.messages" >&2
  [ $status -eq 0 ] || return $status
  local from to
  from=$(printf '%s' "$link" | sed 's/[][\\.*^$|]/\\&/g')
  to=$(printf '%s' "$source" | sed 's/[\\&|]/\\&/g')
  sed -i "/^#include/!s|\"$from\"|\"$to\"|" "$output" "$link.opari.inc"
}

compile_with_opari1() {
  local source=$1 language=$2 object=$3
  local kind=${language%-done} link output include
  include=$(opari1_include)
  find_state
  link=$state_folder/$(readlink -f "$source" | tr / %)
  output=$link.mod.${source##*.}
  [ -e "$link" ] || ln -s "$(readlink -f "$source")" "$link"
  (
    flock 9 || exit 1
    instrument "$source" "$language" run_opari1 "$source" "$language" "$link" "$output"
    cp "$output" "$scratch/" && cp "$link.opari.inc" "$scratch/"
  ) 9>>"$state_file.lock" || exit $?
  output=$scratch/$(basename "$output")
  local type=(-x "$kind") folders=(-iquote "$(dirname "$source")")
  if [[ $language == f* ]]; then
    type=()
    folders=(-I "$(dirname "$source")")
    if [[ $language != *-cpp ]]; then
      sed -i '/^#ifdef _POMP/,/^#define _POMP/d' "$output"
      plain_line_markers "$output" >"$output.marked" && mv "$output.marked" "$output" || exit 1
    else
      folders+=(-cpp)
    fi
  fi
  [ -n "$include" ] && folders+=(-I "$include")
  complete_depend_options "$object"
  instrument "$source" "$language" "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
    "${preprocess_options[@]+"${preprocess_options[@]}"}" \
    "${depend_options[@]+"${depend_options[@]}"}" "${folders[@]}" \
    -c "${type[@]+"${type[@]}"}" "$output" -o "$object"
}

# The state file, and the folder of the links beside it.
find_state() {
  state_file=$(readlink -f "$(dirname "$state")")/$(basename "$state")
  state_folder=$state_file.sources
  mkdir -p "$state_folder" || exit 1
}

# Writes the table of all regions of the state file. Another program's sources may be in it too: what
# is not linked stays null.
write_opari1_table() {
  find_state
  (
    flock 9 || exit 1
    step "$tool" -rcfile "$state_file" -table "$1"
    # Fortran descriptors are defined here.
    for file in $(sed -n 's/^#include "\(.*\.opari\.inc\)"$/\1/p' "$1"); do
      cp "$file" "$scratch/" || exit 1
    done
  ) 9>>"$state_file.lock" || exit $?
  sed -i -e 's/^\(extern struct ompregdescr omp_rd_[0-9]*\);/\1 __attribute__((weak));/' \
    -e 's|^#include ".*/\([^/]*\.opari\.inc\)"|#include "\1"|' "$1"
}
