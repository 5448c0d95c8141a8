# SPDX-License-Identifier: BSD-3-Clause
# Builds the part of the guest's initial file system that is the same in every run. This part is busybox, lstopo, numactl and the scripts of
# inside/.

# build_image PACKAGES IMAGE INSIDE: writes IMAGE (a cpio archive) from the unpacked PACKAGES.
build_image() {
  local packages=$1 image=$2 inside=$3 root
  say "building the guest's image"
  root=$(mktemp -d "$image.XXXXXX")
  make_skeleton "$root"
  local applet
  for applet in $("$packages"/bin/busybox --list); do ln -sf busybox "$root/usr/bin/$applet"; done
  # The list of applets contains busybox itself.
  cp --remove-destination "$packages"/bin/busybox "$root/usr/bin/busybox"
  add_tools "$root" "$packages"
  cp "$inside"/* "$root/guest/"
  ln -s guest/init "$root/init"
  ln -sf /guest/in-cpuset "$root/usr/bin/in-cpuset"
  ln -sf /guest/in-limit "$root/usr/bin/in-limit"
  pack "$root" "$image"
  rm -rf "$root"
}

make_skeleton() {
  local root=$1 name
  mkdir -p "$root"/{guest,dev,proc,sys,tmp,root,etc,run,usr/bin,usr/sbin,usr/lib,usr/lib64}
  for name in bin sbin lib lib64; do ln -s "usr/$name" "$root/$name"; done
  chmod 1777 "$root/tmp"
  echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
  echo 'root:x:0:' >"$root/etc/group"
}

# Copies the tools and their libraries from the cache folder to /usr in the guest.
add_tools() {
  local root=$1 packages=$2 libraries=$2/usr/lib/x86_64-linux-gnu tool extra
  extra=$(mktemp -d)
  for tool in lstopo-no-graphics hwloc-calc numactl; do
    cp "$packages/usr/bin/$tool" "$root/usr/bin/$tool"
    LD_LIBRARY_PATH=$libraries add_libraries "$extra" "$packages/usr/bin/$tool"
  done
  if [[ -e $extra$libraries ]]; then
    mkdir -p "$root/usr/lib/x86_64-linux-gnu"
    cp -a "$extra$libraries/." "$root/usr/lib/x86_64-linux-gnu/"
    rm -rf "${extra:?}$libraries"
  fi
  [[ ! -d $extra/usr ]] || cp -a "$extra/usr/." "$root/usr/"
  rm -rf "$extra"
  # glibc loads this library only when a thread ends, so ldd does not list it.
  tool=/lib/x86_64-linux-gnu/libgcc_s.so.1
  [[ ! -e $tool ]] || add_path "$root" "$tool"
}

# pack ROOT ARCHIVE: makes a cpio archive. The archive is not compressed, because the guest is slow at decompression.
pack() {
  (cd "$1" && find . -mindepth 1 -printf '%P\n' | sort | cpio -o -H newc -R 0:0 --quiet) >"$2.new"
  mv "$2.new" "$2"
}
