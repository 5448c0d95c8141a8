#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: get-opari.sh FOLDER
# Installs both tools on a Debian machine: installs opari2, and unpacks opari with its library into
# FOLDER, since their packages conflict. Afterwards FOLDER/usr/bin/opari is OPARI 1, and
# FOLDER/usr/lib/... its library. Prints nothing on success; otherwise status 1 with a reason.
set -u
folder=${1:?usage: get-opari.sh FOLDER}

fail() {
  echo "get-opari: $*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo -n "$@"
  fi
}

if ! command -v opari2 >/dev/null || ! command -v opari2-config >/dev/null; then
  as_root apt-get install -y --no-install-recommends opari2 libpomp2-dev >/dev/null ||
    { as_root apt-get update >/dev/null &&
      as_root apt-get install -y --no-install-recommends opari2 libpomp2-dev >/dev/null; } ||
    fail "opari2 cannot be installed"
fi

is_complete() {
  [ -x "$folder/usr/bin/opari" ] && [ -f "$folder/usr/include/pomp_lib.h" ] &&
    ls "$folder"/usr/lib/*/libpomp.so.0 >/dev/null 2>&1
}

if ! is_complete; then
  mkdir -p "$folder/packages" || fail "$folder cannot be made"
  # apt-get downloads as a user of its own if possible, so all users may write here.
  chmod a+rwx "$folder/packages"
  (cd "$folder/packages" && apt-get download opari libpomp-dev libpomp0 >/dev/null 2>"$folder/messages") ||
    fail "opari, libpomp-dev and libpomp0 cannot be downloaded: $(cat "$folder/messages")"
  for package in "$folder"/packages/*.deb; do
    dpkg -x "$package" "$folder" || fail "$package cannot be unpacked"
  done
  is_complete || fail "the packages lack a file"
fi
