#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds packages from this source.
#
#   packaging/packages.sh deb       nestbind, nestbind-dev and nestbind-slurm for Debian, in build/packages
#   packaging/packages.sh rpm       nestbind, nestbind-devel and the source, by nestbind.spec
#   packaging/packages.sh tarball   the source, by git archive
#
# Two builds of one commit give the same files, because all files have the time of the commit.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
readonly kind=${1:-}
readonly out=build/packages
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

version() { sed -n 's/^project(nestbind VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt; }

deb() {
  local folder=$out/of-deb same="-ffile-prefix-map=$PWD=."
  command -v dpkg-shlibdeps >/dev/null || { echo "install dpkg-dev: without dpkg-shlibdeps the packages would have no dependencies"; exit 1; }
  rm -f "$out"/*.deb
  cmake -B "$folder" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_C_FLAGS="$same" -DCMAKE_CXX_FLAGS="$same"
  cmake --build "$folder" -j "$(nproc)"
  (cd "$folder" && cpack -B "$PWD/..")
  rm -rf "$out/_CPack_Packages"
  echo "made:" && ls "$out"/*.deb
  without() {  # VARIABLE PACKAGE WHAT: says what is missing if CMake has not found a header
    grep -q "^$1:.*NOTFOUND" "$folder/CMakeCache.txt" && echo "without $3: there is no $2" || true
  }
  without NESTBIND_SLURM_INCLUDE libslurm-dev "the package nestbind-slurm"
  without NESTBIND_SCOTCH_INCLUDE libscotch-dev "SCOTCH's orders in nestbind map"
  without NESTBIND_LIBDW_INCLUDE libdw-dev "source lines in nestbind lines and nestbind memory"
}

tarball() {
  git archive --format=tar --prefix="nestbind-$(version)/" HEAD | gzip -9n >"$out/nestbind-$(version).tar.gz"
  ls "$out"/*.tar.gz
}

# --nodeps: on Debian, rpmbuild does not know the installed packages, and their names differ from those in nestbind.spec.
rpm() {
  tarball
  rpmbuild -ta --nodeps --define "_topdir $PWD/$out/rpmbuild" --define "_smp_mflags -j$(nproc)" \
    --define "clamp_mtime_to_source_date_epoch 1" --define "_buildhost localhost" "$out/nestbind-$(version).tar.gz"
  find "$out/rpmbuild" -name '*.rpm' -exec mv {} "$out" \;
  rm -rf "$out/rpmbuild"
  ls "$out"/*.rpm
}

mkdir -p "$out"
case $kind in
  deb | rpm | tarball) "$kind" ;;
  *)
    sed -n 's/^#   //p' "$0"
    exit 2
    ;;
esac
