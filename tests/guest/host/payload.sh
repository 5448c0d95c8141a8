# SPDX-License-Identifier: BSD-3-Clause
# Copies files to a folder that becomes the root folder of the guest. Each file has the same path as on the host, with its shared libraries.

# add_path ROOT PATH: copies a file, a symbolic link with its target, or a whole folder.
add_path() {
  local root=$1 path target
  path=$(absolute_path "$2")
  [[ -e $path ]] || die "$2: no such file"
  [[ -e $root$path ]] && [[ ! -d $path ]] && return 0
  mkdir -p "$root${path%/*}"
  if [[ -L $path ]]; then
    target=$(readlink "$path")
    ln -sfn "$target" "$root$path"
    [[ $target == /* ]] || target=${path%/*}/$target
    add_path "$root" "$target"
  elif [[ -d $path ]]; then
    mkdir -p "$root$path"
    while IFS= read -r target; do
      add_path "$root" "$target"
    done < <(find "$path" -mindepth 1 -maxdepth 1)
  else
    cp -p "$path" "$root$path"
    add_libraries "$root" "$path"
  fi
}

# absolute_path PATH: the real path of the folder, and the name of the file.
absolute_path() {
  local folder name
  case $1 in
    */*) folder=${1%/*} name=${1##*/} ;;
    *) folder=. name=$1 ;;
  esac
  printf '%s/%s\n' "$(realpath -e "${folder:-/}" 2>/dev/null)" "$name"
}

# add_libraries ROOT FILE: copies the libraries that the loader would load for FILE, and the loader.
add_libraries() {
  local root=$1 file=$2 library
  [[ $(head -c 4 "$file" | tr -d '\0') == $'\x7fELF' ]] || return 0
  while IFS= read -r library; do
    case $library in
      missing:*) say "warning: $file needs ${library#missing:}, which is not found" ;;
      *) add_path "$root" "$library" ;;
    esac
  done < <(LC_ALL=C ldd "$file" 2>/dev/null | awk '
    $2 == "=>" && $3 == "not" { print "missing:" $1 }
    $2 == "=>" && $3 ~ /^\// { print $3 }
    $1 ~ /^\// { print $1 }')
}
