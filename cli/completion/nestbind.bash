# SPDX-License-Identifier: BSD-3-Clause
# Completion of nestbind for bash. The command itself lists the words that a user can type (--list-words).

# _nestbind_spec WORD: completes the part after the last comma of a specification. A level has a size, then a strategy. "sub" strategies may
# have "@" and an object.
_nestbind_spec() {
  local whole=$1 words=$2 before='' last=$1 commas
  if [[ $whole == *,* ]]; then
    before=${whole%,*},
    last=${whole##*,}
  fi
  commas=${before//[^,]/}
  if [[ $last == sub*@* ]]; then
    awk -F '\t' -v before="$before${last%%@*}@" '$1 == "domain" { print before $2 }' <<<"$words"
  elif ((${#commas} % 2)); then
    awk -F '\t' -v before="$before" '$1 == "strategy" { print before $2 }' <<<"$words"
  else
    awk -F '\t' -v before="$before" '$1 == "size" { print before $2 "," }' <<<"$words"
    [[ $before ]] || printf '%s\n' auto off
  fi
}

# _nestbind_values KIND VALUES CURRENT: completes the values of an option.
_nestbind_values() {
  case $1 in
    XML-FILE*) compgen -f -X '!*.xml' -- "$3"; compgen -d -- "$3" ;;
    *FILE*) compgen -f -- "$3"; [[ $2 == - ]] || tr '|' '\n' <<<"$2" ;;
    PATH) compgen -f -- "$3" ;;
    *) [[ $2 == - ]] || tr '|' '\n' <<<"$2" ;;
  esac
}

_nestbind() {
  # The word under the cursor as the user typed it. (bash splits words at "=", ":" and "@".)
  local line=${COMP_LINE:0:COMP_POINT}
  local current=${line##*[[:space:]]}
  local -a typed
  read -ra typed <<<"${line%"$current"}"
  local words command=${typed[1]-} option value name i taken=no spec=no is_spec=no
  words=$("${typed[0]-nestbind}" --list-words 2>/dev/null) || return 0

  local -a found=()
  if ((${#typed[@]} < 2)); then
    mapfile -t found < <(awk -F '\t' '$1 == "command" { print $2 }' <<<"$words"; printf '%s\n' help version --help --version)
  elif [[ $command == help ]]; then
    mapfile -t found < <(awk -F '\t' '$1 == "command" { print $2 }' <<<"$words")
  else
    # Finds which earlier words are values of options, and whether one of them is the specification.
    for ((i = 2; i < ${#typed[@]}; ++i)); do
      if [[ $taken == yes ]]; then
        taken=no
      elif [[ ${typed[i]} == -- ]] || [[ $command == run && ${typed[i]} != -* && $spec == yes ]]; then
        # The following words are the program and its arguments.
        ((i += $([[ ${typed[i]} == -- ]] && echo 1 || echo 0)))
        if declare -F _command_offset >/dev/null; then
          # It counts words as bash splits them.
          local before=${typed[*]:0:i} rest='' number=0
          before=${before//[[:space:]]/}
          while ((${#rest} < ${#before} && number < ${#COMP_WORDS[@]})); do
            rest+=${COMP_WORDS[number++]//[[:space:]]/}
          done
          _command_offset "$number"
        elif ((i == ${#typed[@]})); then
          mapfile -t COMPREPLY < <(compgen -c -- "$current")
        else
          mapfile -t COMPREPLY < <(compgen -f -- "$current")
        fi
        return 0
      elif [[ ${typed[i]} == --*=* ]]; then
        :
      elif [[ ${typed[i]} == --* ]]; then
        value=$(awk -F '\t' -v c="$command" -v n="${typed[i]}" '$1 == "option" && $2 == c && $3 == n { print $4 }' <<<"$words")
        [[ -z $value || $value == - ]] || taken=yes
      else
        spec=yes
      fi
    done
    if [[ $taken == yes || $current == --*=* ]]; then
      option=${typed[-1]}
      name=''
      if [[ $taken != yes ]]; then
        option=${current%%=*}
        name=$option=
      fi
      local kind values
      IFS=$'\t' read -r kind values < <(awk -F '\t' -v c="$command" -v n="$option" \
        '$1 == "option" && $2 == c && $3 == n { print $4 "\t" $5 }' <<<"$words")
      mapfile -t found < <(_nestbind_values "$kind" "$values" "${current#"$name"}" | sed "s|^|$name|")
    elif [[ $current == -* ]]; then
      mapfile -t found < <(awk -F '\t' -v c="$command" '$1 == "option" && $2 == c { print $3 }' <<<"$words")
    elif [[ $command == run && $spec == yes ]]; then
      mapfile -t found < <(compgen -c -- "$current"; compgen -f -- "$current")
    elif [[ $spec == no || $command == job ]]; then
      case $(awk -F '\t' -v c="$command" '$1 == "argument" && $2 == c { print $3 }' <<<"$words") in
        SPEC)
          is_spec=yes
          mapfile -t found < <(_nestbind_spec "$current" "$words")
          ;;
        PROGRAM) mapfile -t found < <(compgen -c -- "$current"; compgen -f -- "$current") ;;
        FILE | FILES) mapfile -t found < <(compgen -f -- "$current") ;;
      esac
    fi
  fi

  # bash itself adds the part of the word before the last split.
  local own=${COMP_WORDS[COMP_CWORD]-} broken=$current word
  [[ $own == [=:@] ]] && own=''
  broken=${current%"$own"}
  # If bash completes names of hosts, it replaces "@", too. (bash-completion turns this off.)
  ! shopt -q hostcomplete || broken=${broken%@}
  COMPREPLY=()
  for word in "${found[@]}"; do
    [[ -n $word && $word == "$current"* ]] && COMPREPLY+=("${word#"$broken"}")
  done
  # No blank is added, because the user may continue a specification.
  [[ $is_spec == yes ]] && compopt -o nospace 2>/dev/null
  return 0
}

complete -F _nestbind nestbind
