# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Running the steps: their output is the user's as it is, and the first failure ends everything with
# its status.

complain() { printf '%s: %s\n' "$self" "$*" >&2; }

# Runs a step and returns its status.
try() {
  if [ "$verbose" = yes ]; then
    { printf '+' && printf ' %q' "$@" && printf '\n'; } >&2
  fi
  "$@"
}

# Runs a step; its failure is ours.
step() { try "$@" || exit $?; }

make_scratch() {
  if [ -n "$keep" ]; then
    mkdir -p "$keep" && scratch=$(readlink -f "$keep") || exit 1
  else
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/nestbind-instrument.XXXXXX") || exit 1
  fi
}

remove_scratch() { [ -n "$keep" ] || rm -rf "$scratch"; }

# The tool by its name; says how to get it.
need_tool() {
  if ! command -v "$tool" >/dev/null; then
    complain "$tool is not found; Debian has it in the package ${tool##*/}, and --opari names another"
    exit 127
  fi
}

# After a failure: whether the tool is to blame, and for what.
explain() {
  local source=$1 language=$2
  local kept=() i argument
  for ((i = 0; i < ${#arguments[@]}; ++i)); do
    argument=${arguments[$i]}
    case $argument in
      -o | -M[FTQ]) i=$((i + 1)) ;;
      -o* | -M* | -c | '') ;;
      *) [ "$argument" != "$source" ] && is_input $i || kept+=("$argument") ;;
    esac
  done
  "$compiler" "${kept[@]}" -fsyntax-only >/dev/null 2>&1 </dev/null || return 0
  complain "$source compiles as it is: it is ${tool##*/} that cannot instrument it"
  if [[ $language == c++* ]] && grep -Eq '\[[^]"]*\][[:space:]]*(\(|\{|mutable)' "$source"; then
    complain "it has lambda expressions: write the body of a parallel loop with one, or the one with" \
      "the loop, as a function or in braces of its own lines"
  fi
  complain "nestbind-opari(7) says what the tools cannot do; without nestbind-instrument the file" \
    "compiles, and its regions are bound where the runtime reports them"
}

# instrument SOURCE LANGUAGE COMMAND...: a step of instrumenting, with an explanation if it fails.
instrument() {
  local source=$1 language=$2
  shift 2
  try "$@" && return
  local status=$?
  explain "$source" "$language"
  exit $status
}
