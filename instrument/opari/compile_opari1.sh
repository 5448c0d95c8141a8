# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# OPARI 1: regions are numbered through the whole program, in a state file that the tool rewrites for
# each source. So it runs under a lock, on sources that keep one name: what is preprocessed lies in a
# folder beside the state, where the tool also leaves its output.

# The folder of the headers that come with the tool.
opari1_include() {
  local folder
  folder=$(dirname "$(dirname "$(readlink -f "$(command -v "$tool")")")")/include
  if [ ! -f "$folder/pomp_lib.h" ]; then
    complain "pomp_lib.h is not in $folder, beside the tool (Debian: libpomp-dev)"
    exit 1
  fi
  printf '%s' "$folder"
}

# Under the lock on descriptor 9: instruments `input`, with the source's places in what comes out.
run_opari1() {
  local source=$1 language=$2 input=$3 output=$4 dialect
  case $language in
    c | c-done) dialect=-c ;;
    c++*) dialect=-c++ ;;
    fixed*) dialect=-f77 ;;
    *) dialect=-f90 ;;
  esac
  # A source is processed again whenever it is compiled again: no reason for a warning.
  try "$tool" $dialect -rcfile "$state_file" "${tool_options[@]+"${tool_options[@]}"}" \
    "$input" "$output" 2>"$scratch/opari1.messages"
  local status=$?
  grep -v '^WARNING: .* was already processed$' "$scratch/opari1.messages" >&2
  [ $status -eq 0 ] || return $status
  restore_lines "$source" "$input" "$output" && restore_lines "$source" "$input" "$input.opari.inc"
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
        if ($2 in line) $0 = "#line " line[$2] " " from[$2]
      } else if (split(rest, numbers, ", *") == 5) {
        $0 = substr($0, 1, at - 1) from[numbers[2] + 0]
        for (i = 2; i <= 5; ++i) {
          $0 = $0 ", " ((numbers[i] + 0 in line) ? line[numbers[i] + 0] : numbers[i])
        }
      }
    }
    { print }
  ' "$read" "$file" >"$file.restored" && mv "$file.restored" "$file"
}

compile_with_opari1() {
  local source=$1 language=$2 object=$3
  local kind=${language%-done} name suffix input include folders=()
  case $language in
    free*) suffix=f90 ;;
    fixed*) suffix=f ;;
    c++*) suffix=cpp ;;
    *) suffix=c ;;
  esac
  find_state
  input=$state_folder/$(readlink -f "$source" | tr / %)
  name=$scratch/source
  if [[ $language == f* ]]; then
    preprocess_fortran "$source" "$language" "$name.read"
  else
    preprocess_c "$source" "$language" "$object" "$name.read"
    include=$(opari1_include) || exit 1
    # The tool renames the functions of locks where omp.h declares them, too. Its texts are constant.
    sed -e '/omp_.*lock_t/d' -e 's/^  char\*/  const char*/' "$include/pomp_lib.h" >"$name.header" || exit 1
    write_declarations "$kind" "$name.header" "$name.declarations"
  fi
  (
    flock 9 || exit 1
    rm -f "$input" && cp "$name.read" "$input" || exit 1
    instrument "$source" "$language" run_opari1 "$source" "$language" "$input" "$input.out"
    cp "$input.out" "$name.mod.$suffix" && cp "$input.opari.inc" "$name.opari.inc"
  ) 9>>"$state_file.lock" || exit $?
  show_directives "$name.mod.$suffix"
  sed -i '/^#ifdef _POMP/,/^#define _POMP/d' "$name.mod.$suffix"
  if [[ $language == f* ]]; then
    plain_line_markers "$name.mod.$suffix" >"$name.marked.$suffix" || exit 1
    folders=(-I "$(dirname "$source")" -c "$name.marked.$suffix")
  else
    sed -i 's|^#include ".*\.opari\.inc"$|#include "source.opari.inc"|' "$name.mod.$suffix"
    sed -i -e "/^#include \"pomp_lib.h\"/{r $name.declarations" -e 'd;}' "$name.opari.inc"
    folders=(-iquote "$scratch" -c -x "$kind" "$name.mod.$suffix")
  fi
  instrument "$source" "$language" "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
    "${folders[@]}" -o "$object"
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
