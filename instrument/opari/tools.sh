# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# Runs OPARI2 or OPARI 1 on the skeleton of a source. Each tool writes two files in $work: `calls`, the skeleton with the tool's calls, and
# `declarations`.

need_tool() {
  find_tool
  case $tool_kind,$(kind_of_tool) in
    opari2,opari1) complain "$tool is OPARI 1: give --opari1" && exit 2 ;;
    opari1,opari2) complain "$tool is OPARI2: leave --opari1 out" && exit 2 ;;
  esac
}

# If the tool is missing, says how to get it.
find_tool() {
  local advice="--opari names it"
  command -v -- "$tool" >/dev/null && return
  case $tool_kind,${tool##*/} in
    opari2,opari2) advice="Debian has it in the package opari2, and --opari names another" ;;
    opari1,opari) advice="Debian's package opari excludes opari2: unpack opari and libpomp-dev with apt-get download and \
dpkg -x, as in nestbind-opari(7), and name it by --opari" ;;
  esac
  complain "$tool is not found; $advice"
  exit 127
}

# OPARI2 prints its version. OPARI 1 does not know the option, and prints its usage.
kind_of_tool() {
  local said
  said=$("$tool" --version </dev/null 2>&1)
  case $said in
    *opari2\ version*) echo opari2 ;;
    *-rcfile\ \<file\>*) echo opari1 ;;
  esac
}

run_tool() {
  local source=$1 language=$2
  if [ "$tool_kind" = opari1 ]; then
    run_opari1 "$source" "$language"
  else
    run_opari2 "$language"
  fi
}

run_opari2() {
  local suffix=c options=()
  if [[ $1 == f* ]]; then
    suffix=f90 options=(--f90 --free-form)
  fi
  mv "$work/skeleton" "$work/skeleton.$suffix" &&
    held "$tool" "${options[@]+"${options[@]}"}" "${tool_options[@]+"${tool_options[@]}"}" "$work/skeleton.$suffix" "$work/calls" &&
    mv "$work/skeleton.$suffix.opari.inc" "$work/declarations"
}

# OPARI 1 numbers the regions of the whole program. It keeps the numbers in a state file, and rewrites the file for each source. So OPARI 1
# runs under a lock. The skeletons and OPARI 1's output are in a folder beside the state file. `descriptors` names the files that the table
# will include.
run_opari1() {
  local source=$1 dialect=-c input rc first count
  [[ $2 == f* ]] && dialect=-f90
  find_state
  input=$state_folder/$(readlink -f "$source" | tr / %)
  count=$(grep -ci '^[#!][p$].*omp parallel$' "$work/skeleton")
  (
    flock 9 || exit 1
    rm -f "$input" && cp "$work/skeleton" "$input" || exit 1
    rc=$state_file
    first=$(first_number "$input" "$count")
    if [ -n "$first" ]; then
      rc=$work/opari.rc
      printf '<OPARIRC 1.0>\n%s\n' $((first - 1)) >"$rc" || exit 1
    fi
    held "$tool" $dialect -rcfile "$rc" "${tool_options[@]+"${tool_options[@]}"}" "$input" "$work/calls" || exit $?
    sed -i '/^WARNING: .* was already processed$/d' "$messages"
    cp "$input.opari.inc" "$work/declarations"
  ) 9>>"$state_file.lock" || return
  [[ $2 == f* ]] && descriptors=("$input.opari.inc")
  return 0
}

# If a source is compiled again and has the same number of regions, they keep their numbers. So equal sources give equal objects.
first_number() {
  [ -f "$state_file" ] || return 0
  INPUT=$1 COUNT=$2 awk '
    found { if ($2 - $1 + 1 == ENVIRON["COUNT"]) print $1; exit }
    $0 == ENVIRON["INPUT"] { found = 1 }
  ' "$state_file"
}

find_state() {
  state_file=$(readlink -f "$(dirname "$state")")/$(basename "$state")
  state_folder=$state_file.sources
  mkdir -p "$state_folder" || exit 1
}

opari1_include() {
  local folder
  folder=$(dirname "$(dirname "$(readlink -f "$(command -v "$tool")")")")/include
  if [ ! -f "$folder/pomp_lib.h" ]; then
    complain "pomp_lib.h is not in $folder, beside the tool (Debian: libpomp-dev)"
    exit 1
  fi
  printf '%s' "$folder"
}

# The state file may also have the sources of another program. The entries of regions that are not linked stay null.
write_opari1_table() {
  find_state
  (
    flock 9 || exit 1
    step "$tool" -rcfile "$state_file" -table "$1"
    # These files define the descriptors of Fortran regions.
    for file in $(sed -n 's/^#include "\(.*\.opari\.inc\)"$/\1/p' "$1"); do
      cp "$file" "$scratch/" || exit 1
    done
  ) 9>>"$state_file.lock" || exit $?
  sed -i -e 's/^\(extern struct ompregdescr omp_rd_[0-9]*\);/\1 __attribute__((weak));/' \
    -e 's|^#include ".*/\([^/]*\.opari\.inc\)"|#include "\1"|' "$1"
}
