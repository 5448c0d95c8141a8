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
  [[ $language == f* ]] && fortran_language "$language"
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
  local i argument value
  for ((i = 0; i < ${#arguments[@]}; ++i)); do
    argument=${arguments[$i]}
    is_input $i && continue
    value=()
    if takes_value "$argument" || [[ $argument == -o || $argument == -x ]]; then
      i=$((i + 1))
      value=("${arguments[$i]:-}")
    fi
    case $argument in
      -c | -o* | -x* | -Wl,* | -l* | -L* | -Xlinker | -static* | -shared | -rdynamic | -u | -z | -T | -pie | -no-pie | -cpp | -nocpp) ;;
      -D* | -U* | -include | -imacros | -Xpreprocessor | -Wp,*)
        preprocess_options+=("$argument" "${value[@]+"${value[@]}"}")
        ;;
      -MD | -MMD | -MP | -MG | -MF* | -MT* | -MQ*)
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
  local form=${fortran_form:-${1%-cpp}} cpp=$fortran_cpp
  [[ -z $cpp && $1 == *-cpp ]] && cpp=-cpp
  language=$form${cpp%no}
}
