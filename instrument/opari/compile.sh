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

# Compiles one source: preprocesses it, has the tool write calls for its parallel regions, and weaves
# them in. A source without regions is compiled as it is.
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

# Compiles what was woven: it is preprocessed, and its name and lines are the source's.
compile_woven() {
  local source=$1 form=$2 name=$3 object=$4 folder='' options=()
  [[ $source == */* ]] && folder=${source%/*}/
  case $form in
    c) options=(-x cpp-output) ;;
    c++) options=(-x c++-cpp-output) ;;
    *)
      options=(-I "$(dirname "$source")")
      # The added code calls functions without an interface.
      is_gfortran && options+=(-fpreprocessed -Wno-implicit-interface -Wno-implicit-procedure)
      ;;
  esac
  # Clang would warn of the marks of lines, which it writes itself, and of options that only preprocessing
  # needs, and name its input besides.
  is_clang "$form" && options+=(-Wno-gnu-line-marker -Wno-unused-command-line-argument
    "-fdebug-prefix-map=$(dirname "$name")/=$folder")
  [ -t 2 ] && is_colourful && options+=(-fdiagnostics-color=always)
  held "$compiler" "${compile_options[@]+"${compile_options[@]}"}" "${options[@]}" -c "$name" -o "$object"
}

# In C and C++, with any name of the compiler.
is_clang() {
  [[ $1 == c* ]] && "$compiler" -dM -E -x c /dev/null 2>/dev/null | grep '#define __clang__' >/dev/null
}

is_gfortran() { "$compiler" --version 2>/dev/null | head -n 1 | grep 'GNU Fortran' >/dev/null; }

# Whether the compiler knows how to write colours although it does not see the terminal.
is_colourful() {
  case ${compiler##*/} in
    *gcc* | *g++* | *gfortran* | *clang* | cc | c++) return 0 ;;
  esac
  return 1
}

# Compiles the source as it is, without the tool.
compile_plain() {
  local language=()
  [ -n "$language_option" ] && language=(-x "$language_option")
  try "$compiler" "${compile_options[@]+"${compile_options[@]}"}" \
    "${preprocess_options[@]+"${preprocess_options[@]}"}" "${fortran_options[@]+"${fortran_options[@]}"}" \
    "${language[@]+"${language[@]}"}" -c "$1" -o "$2"
}

# The options of one source's compilation: what the preprocessor takes and must not see twice, what
# it takes besides, what decides on Fortran's preprocessing, and all the rest. Inputs, -c, -o and what only linking needs are left out.
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

# The form and the preprocessing of a Fortran source, if options change those of its name.
fortran_language() {
  local form=${fortran_form:-${1%-cpp}} cpp=$fortran_cpp
  [[ -z $cpp && $1 == *-cpp ]] && cpp=-cpp
  language=$form${cpp%no}
}
