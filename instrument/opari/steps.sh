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

# Runs a step whose messages wait until it is known whether the source is to blame; `messages` has them.
held() { try "$@" 2>>"$messages"; }

# A step of instrumenting a source has failed. If the compiler does not take the source as it is either,
# what it says is all there is to say.
fail_with() {
  local source=$1 object=$2 status=$?
  compile_plain "$source" "$work/plain.o" >/dev/null 2>"$work/plain" </dev/null || {
    status=$?
    cat "$work/plain" >&2
    exit $status
  }
  cat "$messages" >&2
  complain "$source compiles without instrumentation, but not with it; nestbind-opari(7) names the limits." \
    "Without nestbind-instrument its regions are bound if the runtime reports them"
  [ $status -ne 0 ] || status=1
  exit $status
}
