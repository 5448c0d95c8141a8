# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# Runs the steps. If a step fails, the command ends with the status of this step.

complain() { printf '%s: %s\n' "$self" "$*" >&2; }

try() {
  if [ "$verbose" = yes ]; then
    { printf '+' && printf ' %q' "$@" && printf '\n'; } >&2
  fi
  "$@"
}

step() { try "$@" || exit $?; }

make_scratch() {
  if [ -n "$keep" ]; then
    mkdir -p "$keep" && scratch=$(readlink -f "$keep") || exit 1
  else
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/nestbind-instrument.XXXXXX") || exit 1
  fi
}

remove_scratch() { [ -n "$keep" ] || rm -rf "$scratch"; }

# Runs a step, and keeps its messages in the file `messages` until it is known whether the source is wrong.
held() { try "$@" 2>>"$messages"; }

# Called if a step of instrumenting a source fails. If the compiler does not accept the original source either, only the compiler's messages
# are shown.
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
