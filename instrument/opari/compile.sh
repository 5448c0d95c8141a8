# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Compiling, whatever the tool and the language.

# Compiles all sources, and puts the objects in their place in `arguments`. Without OpenMP there is
# nothing to instrument.
compile_sources() {
  if [ "$has_openmp" = no ]; then
    [ "$mode" = compile ] && step "$compiler" "${arguments[@]}"
    return
  fi
  local position language source object count=0
  for position in "${inputs[@]}"; do
    [ -n "${languages[$position]}" ] && count=$((count + 1))
  done
  for position in "${inputs[@]}"; do
    language=${languages[$position]}
    source=${arguments[$position]}
    [ -n "$language" ] || continue
    if [ "$mode" = compile ]; then
      object=${output:-$(basename "${source%.*}").o}
      if [ -n "$output" ] && [ $count -gt 1 ]; then
        usage_error "-o with -c and several sources"
      fi
    else
      object=$scratch/$position.o
    fi
    compile_source "$source" "$language" "$object"
    arguments[position]=$object
  done
}

compile_source() {
  local source=$1 language=$2 object=$3
  collect_options "$source"
  need_tool
  if [ ! -r "$source" ]; then
    step "$compiler" -c "$source"
    exit 1
  fi
  case $language in
    free* | fixed*) fortran_language "$language" ;;
  esac
  case $tool_kind-$language in
    opari1-*) compile_with_opari1 "$source" "$language" "$object" ;;
    opari2-c*) compile_c "$source" "$language" "$object" ;;
    opari2-*) compile_fortran "$source" "$language" "$object" ;;
  esac
}

# The options of one source's compilation: what the preprocessor takes and must not see twice, what
# it takes besides, and all the rest. Inputs, -c, -o and what only linking needs are left out.
collect_options() {
  compile_options=()
  preprocess_options=()
  depend_options=()
  local i argument value is_input position
  for ((i = 0; i < ${#arguments[@]}; ++i)); do
    argument=${arguments[$i]}
    is_input=no
    for position in "${inputs[@]}"; do
      [ "$position" -eq $i ] && is_input=yes
    done
    value=()
    if [ $is_input = no ] && { takes_value "$argument" || [[ $argument == -o || $argument == -x ]]; }; then
      i=$((i + 1))
      value=("${arguments[$i]:-}")
    fi
    case $is_input$argument in
      yes* | no-c | no-o* | no-x* | no-Wl,* | no-l* | no-L* | no-Xlinker | no-static* | no-shared | no-rdynamic | no-u | no-z | no-T | no-pie | no-no-pie | no-cpp | no-nocpp) ;;
      no-D* | no-U* | no-include | no-imacros | no-Xpreprocessor | no-Wp,*)
        preprocess_options+=("$argument" "${value[@]+"${value[@]}"}")
        ;;
      no-MD | no-MMD | no-MP | no-MG | no-MF* | no-MT* | no-MQ*)
        depend_options+=("$argument" "${value[@]+"${value[@]}"}")
        ;;
      *) compile_options+=("$argument" "${value[@]+"${value[@]}"}") ;;
    esac
  done
}

# Names the dependency file and its target as the compiler would have for the object.
complete_depend_options() {
  local object=$1 option has_file=no has_target=no
  [ ${#depend_options[@]} -gt 0 ] || return 0
  for option in "${depend_options[@]}"; do
    case $option in
      -MF*) has_file=yes ;;
      -MT* | -MQ*) has_target=yes ;;
    esac
  done
  [ $has_file = yes ] || depend_options+=(-MF "${object%.o}.d")
  [ $has_target = yes ] || depend_options+=(-MT "$object")
}

# The form and the preprocessing of a Fortran source, where options change what its name says.
fortran_language() {
  local form=${1%-cpp} cpp=
  [[ $1 == *-cpp ]] && cpp=-cpp
  [ -n "$fortran_form" ] && form=$fortran_form
  [ "$fortran_cpp" = -cpp ] && cpp=-cpp
  [ "$fortran_cpp" = no ] && cpp=
  language=$form$cpp
}
