# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# OPARI 1: regions are numbered through the whole program, in a state file that the tool rewrites for
# each source. So it runs under a lock, on sources that keep one name: links in a folder beside the
# state, where it also leaves its output. Sources in C are not preprocessed first: the tool's header
# includes omp.h. Fortran's are, where they would be by the compiler.

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
  restore_lines "$source" "$link" "$output" && restore_lines "$source" "$link" "$link.opari.inc"
}

# Puts the places in the source in for those in what the tool has read, with the help of the
# preprocessor's marks.
restore_lines() {
  local source=$1 read=$2 file=$3
  SOURCE=$source READ=$read awk '
    BEGIN { name = "\"" ENVIRON["SOURCE"] "\""; read = "\"" ENVIRON["READ"] "\""; number = 1 }
    NR == FNR {
      if ($0 ~ /^# [0-9]+ "/) {
        number = $2
        name = $0
        sub(/^# [0-9]+ /, "", name)
        sub(/"[ 0-9]*$/, "\"", name)
        line[FNR] = number
      } else {
        line[FNR] = number++
      }
      from[FNR] = name
      next
    }
    at = index($0, read) {
      rest = substr($0, at + length(read))
      if ($0 ~ /^#line /) {
        $0 = "#line " line[$2] " " from[$2]
      } else if (split(rest, numbers, ", *") == 5) {
        $0 = substr($0, 1, at - 1) from[numbers[2] + 0]
        for (i = 2; i <= 5; ++i) $0 = $0 ", " line[numbers[i] + 0]
      }
    }
    { print }
  ' "$read" "$file" >"$file.restored" && mv "$file.restored" "$file"
}

compile_with_opari1() {
  local source=$1 language=$2 object=$3
  local kind=${language%-done} link output include
  include=$(opari1_include)
  find_state
  link=$state_folder/$(readlink -f "$source" | tr / %)
  case $language in
    free*) output=$link.mod.f90 ;;
    fixed*) output=$link.mod.f ;;
    *) output=$link.mod.${source##*.} ;;
  esac
  if [[ $language == f*-cpp ]]; then
    preprocess_fortran "$source" "$language" "$scratch/opari1.source"
  fi
  (
    flock 9 || exit 1
    rm -f "$link"
    if [[ $language == f*-cpp ]]; then
      mv "$scratch/opari1.source" "$link"
    else
      ln -s "$(readlink -f "$source")" "$link"
    fi
    instrument "$source" "$language" run_opari1 "$source" "$language" "$link" "$output"
    cp "$output" "$scratch/" && cp "$link.opari.inc" "$scratch/"
  ) 9>>"$state_file.lock" || exit $?
  output=$scratch/$(basename "$output")
  local type=(-x "$kind") folders=(-iquote "$(dirname "$source")")
  if [[ $language == f* ]]; then
    type=()
    folders=(-I "$(dirname "$source")")
    sed -i '/^#ifdef _POMP/,/^#define _POMP/d' "$output"
    plain_line_markers "$output" >"$output.marked" && mv "$output.marked" "$output" || exit 1
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
