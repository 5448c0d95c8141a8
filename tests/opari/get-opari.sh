#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: get-opari.sh FOLDER
# Gets both tools on a Debian machine. Installs the package opari2. Unpacks opari and its library into FOLDER, because their packages
# conflict with opari2. Then FOLDER/usr/bin/opari is OPARI 1, and its library is in FOLDER/usr/lib. On success prints nothing. Otherwise
# prints a reason, and the status is 1.
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
  # If possible, apt-get downloads as the user _apt, so all users may write here.
  chmod a+rwx "$folder/packages"
  (cd "$folder/packages" && apt-get download opari libpomp-dev libpomp0 >/dev/null 2>"$folder/messages") ||
    fail "opari, libpomp-dev and libpomp0 cannot be downloaded: $(cat "$folder/messages")"
  for package in "$folder"/packages/*.deb; do
    dpkg -x "$package" "$folder" || fail "$package cannot be unpacked"
  done
  is_complete || fail "the packages lack a file"
fi
