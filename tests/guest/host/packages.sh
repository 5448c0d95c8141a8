# SPDX-License-Identifier: BSD-3-Clause
# Gets Debian's packages for the guest. Sourced by `guest`. Only QEMU and cpio are installed on the host. The kernel and the tools of the
# guest are only unpacked in the cache folder.

guest_packages=(busybox-static hwloc-nox libhwloc15 numactl libnuma1)

apt() {
  DEBIAN_FRONTEND=noninteractive apt-get -q -o APT::Sandbox::User=root -o DPkg::Lock::Timeout=300 "$@"
}

# need_host_tools LOG: installs QEMU and cpio if one is missing.
need_host_tools() {
  local log=$1
  if command -v qemu-system-x86_64 >/dev/null && command -v cpio >/dev/null; then return 0; fi
  ((EUID == 0)) || skip "qemu-system-x86_64 or cpio is missing, and only root can install it"
  command -v apt-get >/dev/null || skip "qemu-system-x86_64 or cpio is missing, and there is no apt-get"
  say "installing qemu-system-x86 and cpio"
  {
    apt update
    apt install -y --no-install-recommends qemu-system-x86 cpio
  } >"$log" 2>&1 || skip "qemu-system-x86 cannot be installed (the log is $log): $(tail -n 1 "$log")"
}

# fetch_packages FOLDER LOG: downloads and unpacks the packages into FOLDER, once.
fetch_packages() {
  local folder=$1 log=$2 work
  [[ -e $folder ]] && return 0
  say "downloading the guest's packages"
  work=$(mktemp -d "$folder.XXXXXX")
  download_packages "$work" >"$log" 2>&1 ||
    { apt update && download_packages "$work"; } >>"$log" 2>&1 ||
    die "the guest's packages cannot be downloaded (the log is $log): $(tail -n 1 "$log")"
  local package
  for package in "$work"/*.deb; do dpkg -x "$package" "$work"; done
  rm -f "$work"/*.deb
  chmod 755 "$work"
  mv -T "$work" "$folder"
}

# linux-image-cloud-amd64 only depends on the package that has the current kernel.
download_packages() {
  local kernel
  kernel=$(apt-cache depends linux-image-cloud-amd64 | awk '/Depends: linux-image/ { print $2; exit }')
  [[ $kernel ]] || return 1
  (cd "$1" && apt download "$kernel" "${guest_packages[@]}")
}
