# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Compiles sources, for each tool and each language.

# Compiles all sources, and replaces each source in `arguments` by its object. Without OpenMP nothing is instrumented.
compile_sources() {
  if [ "$has_openmp" = no ]; then
    [ "$mode" = compile ] && step "${cache[@]+"${cache[@]}"}" "$compiler" "${arguments[@]}"
    return
  fi
  local position language source object count=0
  for position in "${inputs[@]}"; do
    [ -n "${languages[$position]}" ] && count=$((count + 1))
  done
  [ $count -eq 0 ] || need_tool
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
    language_option=${named_languages[$position]:-}
    compile_source "$source" "$language" "$object"
    arguments[position]=$object
  done
}

compile_source() {
  local source=$1 language=$2 object=$3 name form descriptors=()
  collect_options "$source"
  [[ $language == f* ]] && fortran_language "$language"
  work=$scratch/$(basename "$source").parts
  messages=$work/messages
  mkdir -p "$work/woven" && : >"$messages" || exit 1
  if [[ $language == f* ]]; then
    form=${language%-cpp}
    preprocess_fortran "$source" "$language" "$work/text" || fail_with "$source" "$object"
  else
    form=${language%-done}
    preprocess_c "$source" "$language" "$object" "$work/text" || fail_with "$source" "$object"
  fi
  try "$regions" find "$form" "$fixed_width" "$source" <"$work/text" >"$work/skeleton" 2>"$work/remarks" ||
    fail_with "$source" "$object"
  if [ ! -s "$work/skeleton" ]; then
    compile_plain "$source" "$object" || exit $?
    cat "$work/remarks" >&2
    return
  fi
  run_tool "$source" "$language" || fail_with "$source" "$object"
  name=$work/woven/$(basename "$source")
  [[ $language == f* ]] && name=${name%.*}.$([ "$form" = fixed ] && echo f || echo f90)
  held "$regions" weave "$form" "$fixed_width" "$source" "$output" "$work/calls" "$work/declarations" \
    "${descriptors[@]+"${descriptors[@]}"}" <"$work/text" >"$name" || fail_with "$source" "$object"
  compile_woven "$source" "$form" "$name" "$object" || fail_with "$source" "$object"
  cat "$messages" "$work/remarks" >&2
}

# Compiles the source with the added calls. This source is preprocessed already, and keeps the name and the lines of the original source.
compile_woven() {
  local source=$1 form=$2 name=$3 object=$4 folder='' options=()
  [[ $source == */* ]] && folder=${source%/*}/
  case $form in
    c) options=(-x cpp-output) ;;
    c++) options=(-x c++-cpp-output) ;;
    *)
      options=(-I "$(dirname "$source")")
      is_gfortran && options+=(-fpreprocessed -Wno-implicit-interface -Wno-implicit-procedure)
      ;;
  esac
  # Clang warns of its own line marks. Clang would put the name of this input into the debug information.
  is_clang "$form" && options+=(-Wno-gnu-line-marker -Wno-unused-command-line-argument
    "-fdebug-prefix-map=$(dirname "$name")/=$folder")
  [ -t 2 ] && is_colourful && options+=(-fdiagnostics-color=always)
  held "$compiler" "${compile_options[@]+"${compile_options[@]}"}" "${options[@]}" -c "$name" -o "$object"
}

is_clang() {
  [[ $1 == c* ]] && "$compiler" -dM -E -x c /dev/null 2>/dev/null | grep '#define __clang__' >/dev/null
}

is_gfortran() { "$compiler" --version 2>/dev/null | head -n 1 | grep 'GNU Fortran' >/dev/null; }

# Whether the compiler has the option for colours. Without the option there are no colours, because the output is not the terminal.
is_colourful() {
  case ${compiler##*/} in
    *gcc* | *g++* | *gfortran* | *clang* | cc | c++) return 0 ;;
  esac
  return 1
}

compile_plain() {
  local language=()
  [ -n "$language_option" ] && language=(-x "$language_option")
  try "${cache[@]+"${cache[@]}"}" "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
    "${preprocess_options[@]+"${preprocess_options[@]}"}" "${fortran_options[@]+"${fortran_options[@]}"}" \
    "${language[@]+"${language[@]}"}" -c "$1" -o "$2"
}

# Sorts the options for one source into four lists:
#   preprocess_options  affect only the preprocessor
#   depend_options      ask for a dependency file
#   fortran_options     say whether Fortran is preprocessed
#   compile_options     all other options, without inputs, -c, -o, and options that only linking needs
collect_options() {
  compile_options=()
  preprocess_options=()
  depend_options=()
  fortran_options=()
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
      -c | -o* | -x* | -Wl,* | -l* | -L* | -Xlinker | -static* | -shared | -rdynamic | -u | -z | -T | -pie | -no-pie) ;;
      -cpp | -nocpp) fortran_options+=("$argument") ;;
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

# The compiler derives the dependency file and its target from the name of the object. This function does the same.
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

# Options win over the name of the source.
fortran_language() {
  local form=${fortran_form:-${1%-cpp}} cpp=$fortran_cpp
  [[ -z $cpp && $1 == *-cpp ]] && cpp=-cpp
  language=$form${cpp%no}
}
