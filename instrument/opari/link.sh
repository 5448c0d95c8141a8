# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
#
# Links the program. Adds the region table of all instrumented objects and archives. Adds the POMP library.

# If -l finds an archive, the archive is in `linked`, too.
find_linked() {
  linked=()
  local folders=() i argument name folder
  for ((i = 0; i < ${#arguments[@]}; ++i)); do
    argument=${arguments[$i]}
    case $argument in
      -L) folders+=("${arguments[$((i + 1))]:-}") ;;
      -L*) folders+=("${argument#-L}") ;;
    esac
  done
  for ((i = 0; i < ${#arguments[@]}; ++i)); do
    argument=${arguments[$i]}
    case $argument in
      -l?*)
        name=${argument#-l}
        for folder in "${folders[@]+"${folders[@]}"}"; do
          [ -f "$folder/lib$name.so" ] && break
          [ -f "$folder/lib$name.a" ] && linked+=("$folder/lib$name.a") && break
        done
        ;;
      -*) takes_value "$argument" || [ "$argument" = -o ] && i=$((i + 1)) ;;
      *.o | *.a | *.lo | *.obj) [ -f "$argument" ] && linked+=("$argument") ;;
      *) [ -f "$argument" ] && is_object "$argument" && linked+=("$argument") ;;
    esac
  done
}

is_object() {
  [[ $(head -c 4 "$1" | od -An -c | tr -d ' ') == *ELF && $1 != *.so && $1 != *.so.* ]]
}

# Compiles a generated C file. A Fortran compiler may not know C.
compile_table() {
  local c_compiler=${NESTBIND_CC:-cc}
  command -v "$c_compiler" >/dev/null || c_compiler=$compiler
  step "$c_compiler" -O -fPIC -w "${@:3}" -I "$scratch" -x c -c "$1" -o "$2"
}

has_symbol() { grep -Eqi "$1" "$scratch/symbols"; }

link_program() {
  find_linked
  local added=()
  if [ ${#linked[@]} -gt 0 ]; then
    nm "${linked[@]}" >"$scratch/symbols" 2>/dev/null
    if has_symbol ' [TDA] _?pomp2_(user_)?init_reg_'; then
      make_opari2_table
      added=("$scratch/nestbind-regions.o")
    fi
    has_symbol ' U pomp2_' && add_library libnestbind-pomp2.so
    if has_symbol ' U pomp_[a-z]*_(fork|join|begin|end|enter|exit)_?$'; then
      make_opari1_table
      added+=("$scratch/nestbind-table.o")
      add_library libnestbind-pomp.so
    fi
  fi
  insert_before_libraries "${added[@]+"${added[@]}"}"
  step "$compiler" "${arguments[@]}"
}

make_opari2_table() {
  local table=$scratch/nestbind-regions.c config script
  # OPARI2 has opari2-config in its own folder.
  config=$(command -v -- "$tool")
  config=${config%/*}/opari2-config
  [ -x "$config" ] || config=opari2-config
  script=$("$config" --region-initialization) || exit 1
  "$script" <"$scratch/symbols" >"$table" || exit $?
  compile_table "$table" "$scratch/nestbind-regions.o"
}

make_opari1_table() {
  local include
  tool_kind=opari1
  # Objects of OPARI 1 may be linked without --opari1.
  [[ ${tool##*/} == opari2 || $(kind_of_tool) == opari2 ]] && tool=opari
  find_tool
  include=$(opari1_include) || exit 1
  write_opari1_table "$scratch/nestbind-table.c"
  compile_table "$scratch/nestbind-table.c" "$scratch/nestbind-table.o" -fopenmp \
    -I "$include"
}

# Adds our library, even if the linker does not see yet that it is needed.
add_library() {
  local library=$library_dir/$1
  [ -f "$library" ] || { complain "$library is missing" && exit 1; }
  added+=(-Wl,--push-state,--no-as-needed "$library" -Wl,--pop-state)
  if [ "$use_rpath" = yes ]; then
    case $(readlink -f "$library_dir") in
      /lib | /usr/lib | /lib/*-linux-gnu | /usr/lib/*-linux-gnu | /usr/lib64 | /lib64) ;;
      *) added+=("-Wl,-rpath,$(readlink -f "$library_dir")") ;;
    esac
  fi
}

# Puts arguments after the last object. A static OpenMP runtime must come after the objects. Removes -x, because objects have replaced the
# sources.
insert_before_libraries() {
  local last=-1 position kept=() skipped=()
  for position in "${inputs[@]}"; do
    case ${arguments[$position]} in
      *.a | *.so | *.so.*) ;;
      *) last=$position ;;
    esac
  done
  if [ "$has_openmp" = yes ]; then
    for position in "${language_options[@]+"${language_options[@]}"}"; do
      skipped[position]=yes
    done
  fi
  [ $last -ge 0 ] || kept=("$@")
  for position in "${!arguments[@]}"; do
    [ -n "${skipped[$position]:-}" ] || kept+=("${arguments[$position]}")
    [ "$position" -ne $last ] || kept+=("$@")
  done
  arguments=("${kept[@]}")
}
