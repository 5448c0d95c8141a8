#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs nestbind in a minimal Debian root, binds a program, uninstalls nestbind, and looks for
# remaining files. Run it as root.
#
#   packaging/try.sh deb SUITE      the packages of packaging/packages.sh deb
#   packaging/try.sh wheel SUITE    the wheel of packaging/wheel.sh
#   packaging/try.sh modules SUITE  the Debian packages, used by the module file, with Environment Modules and with Lmod
#   packaging/try.sh source SUITE   README's commands that build and install
#   packaging/try.sh tests SUITE    tests/run.sh --quick
#   packaging/try.sh arm64 SUITE    README's build with a compiler for aarch64; qemu-user runs the unit tests and a program
#
# SUITE: bookworm, trixie. The roots are made in build/packages/roots, and kept.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
[ $# -eq 2 ] || { sed -n 's/^#   //p' "$0"; exit 2; }
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "only root can make a Debian root"
command -v debootstrap >/dev/null || skip "there is no debootstrap"
getent hosts deb.debian.org >/dev/null || skip "there is no network"
readonly kind=$1 suite=$2 packages=$PWD/build/packages
readonly bare=$packages/roots/$suite root=$packages/roots/$kind-$suite
if ! [ -e "$bare/made" ]; then
  rm -rf "$bare"
  mkdir -p "$bare"
  debootstrap --variant=minbase "$suite" "$bare" http://deb.debian.org/debian >"$bare.log" || { tail "$bare.log"; exit 1; }
  touch "$bare/made"
fi
rm -rf "$root"
cp -ax "$bare" "$root"
mkdir "$root/try"
cp packaging/try_inside.sh packaging/try.c "$root/try"
case $kind in
  deb | modules) cp "$packages"/*.deb "$root/try" ;;
  wheel) cp "$packages"/*.whl "$root/try" ;;
  source | arm64) git archive --format=tar HEAD | tar -x --one-top-level="$root/try/source" ;;
  tests) git clone -q . "$root/try/source" ;;
esac
unshare --mount --pid --fork -- bash -ec "
  mount --make-rprivate /
  mount -t proc proc '$root/proc'
  mount -t sysfs sysfs '$root/sys'
  mount --bind /dev '$root/dev'
  exec chroot '$root' env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root bash /try/try_inside.sh $kind"
rm -rf "$root"
case $kind in tests | arm64) exit 0 ;; esac
echo "$kind in $suite: installed, bound, uninstalled, nothing left"
