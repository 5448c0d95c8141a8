#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds packages from this source.
#
#   packaging/packages.sh deb       nestbind, nestbind-dev and nestbind-slurm for Debian, in build/packages
#   packaging/packages.sh rpm       the same as RPM
#   packaging/packages.sh tarball   the source, by git archive
#
# Two builds of one commit give the same files: times are those of the commit.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
readonly kind=${1:-}
readonly out=build/packages
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

version() { sed -n 's/^project(nestbind VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt; }

# packed GENERATOR CMAKE-OPTIONS...
packed() {
  local generator=$1
  shift
  local folder=$out/of-$generator same
  same="-ffile-prefix-map=$PWD=."
  cmake -G Ninja -B "$folder" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DCPACK_GENERATOR="$generator" \
    -DCMAKE_C_FLAGS="$same" -DCMAKE_CXX_FLAGS="$same" "$@"
  cmake --build "$folder" -j "$(nproc)"
  (cd "$folder" && cpack -G "$generator" -B "$PWD/..")
  rm -rf "$out/_CPack_Packages"
}

mkdir -p "$out"
case $kind in
  deb) packed DEB && ls "$out"/*.deb ;;
  rpm) packed RPM -DCMAKE_INSTALL_LIBDIR=lib64 && ls "$out"/*.rpm ;;
  tarball)
    git archive --format=tar --prefix="nestbind-$(version)/" HEAD | gzip -9n >"$out/nestbind-$(version).tar.gz"
    ls "$out"/*.tar.gz
    ;;
  *)
    sed -n 's/^#   //p' "$0"
    exit 2
    ;;
esac
