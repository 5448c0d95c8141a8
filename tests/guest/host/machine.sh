# SPDX-License-Identifier: BSD-3-Clause
# Reads the description of a machine. Makes QEMU's options and the expected report of the guest from it. Sourced by `guest`. Processors are
# numbered by package, then die, core and hardware thread.

# read_machine FILE: reads the description, and sets the variables machine*. If the machine is not possible, ends with a message.
read_machine() {
  local file=$1 key values line=0
  declare -gA machine=([dies]=1 [threads]=1 [memory]=256 [boot-seconds]=60)
  machine_distances=()
  while read -r key values; do
    line=$((line + 1))
    case $key in
      '' | '#'*) ;;
      packages | dies | cores | threads | nodes | memory | boot-seconds)
        [[ $values =~ ^[1-9][0-9]*$ ]] || die "$file:$line: $key needs a positive number"
        machine[$key]=$values
        ;;
      distance) machine_distances+=("$values") ;;
      *) die "$file:$line: unknown word '$key'" ;;
    esac
  done <"$file"
  for key in packages cores nodes; do
    [[ ${machine[$key]-} ]] || die "$file: no line '$key'"
  done

  local cores=$((machine[packages] * machine[cores]))
  ((machine[cores] % machine[dies] == 0)) || die "$file: the number of cores in a package is not a multiple of its dies"
  ((cores % machine[nodes] == 0)) || die "$file: the number of cores is not a multiple of the NUMA nodes"
  # The plugin that counts accesses computes the node of a page from the page's address. Above 3 GB this fails, because there is a gap in
  # the addresses.
  ((machine[nodes] * machine[memory] <= 3072)) || die "$file: more than 3072 MB in all"
  ((${#machine_distances[@]} == 0 || ${#machine_distances[@]} == machine[nodes])) ||
    die "$file: there must be one distance row for each NUMA node"
  machine_cores=$cores
  machine_processors=$((cores * machine[threads]))
  machine_cores_a_node=$((cores / machine[nodes]))
}

# distance_between FROM TO: prints the distance in the description, or the kernel's default if the description has none.
distance_between() {
  local -a row=()
  if ((${#machine_distances[@]})); then
    read -r -a row <<<"${machine_distances[$1]}"
    echo "${row[$2]:-0}"
  else
    (($1 == $2)) && echo 10 || echo 20
  fi
}

# machine_options: prints QEMU's options, one in each line.
#
# pc-i440fx-5.0 is the last machine type that accepts mem= for a node. Later types need a memory backend for each node. A plugin of QEMU 7.2
# sees the guest's physical addresses only if the memory is one block, that is, with mem=. The vendor of the processor is set, because QEMU
# gives processors of some vendors no sibling threads.
machine_options() {
  local node core package die other text
  local cores_a_die=$((machine[cores] / machine[dies]))
  printf '%s\n' -machine pc-i440fx-5.0 -cpu max,vendor=GenuineIntel
  printf '%s\n' -m $((machine[nodes] * machine[memory]))
  text="$machine_processors,sockets=${machine[packages]},dies=${machine[dies]}"
  printf '%s\n' -smp "$text,cores=$cores_a_die,threads=${machine[threads]}"
  for ((node = 0; node < machine[nodes]; node++)); do
    printf '%s\n' -numa "node,nodeid=$node,mem=${machine[memory]}M"
  done
  for ((core = 0; core < machine_cores; core++)); do
    package=$((core / machine[cores]))
    die=$((core / cores_a_die % machine[dies]))
    text="cpu,node-id=$((core / machine_cores_a_node)),socket-id=$package"
    ((machine[dies] == 1)) || text+=",die-id=$die"
    printf '%s\n' -numa "$text,core-id=$((core % cores_a_die))"
  done
  ((${#machine_distances[@]})) || return 0
  for ((node = 0; node < machine[nodes]; node++)); do
    for ((other = 0; other < machine[nodes]; other++)); do
      printf '%s\n' -numa "dist,src=$node,dst=$other,val=$(distance_between "$node" "$other")"
    done
  done
}

# machine_shape: prints the numbers that the QEMU plugin needs. The memory of node N begins at N times node-bytes, and all nodes have
# the same number of processors.
machine_shape() {
  echo "nodes=${machine[nodes]}"
  echo "node-bytes=$((machine[memory] * 1024 * 1024))"
  echo "processors-a-node=$((machine_cores_a_node * machine[threads]))"
}

# machine_report: prints the expected output of inside/describe-machine.awk in the guest.
machine_report() {
  local index other
  for ((index = 0; index < machine[packages]; index++)); do
    echo "package$(numbers $((index * machine[cores] * machine[threads])) $((machine[cores] * machine[threads])))"
  done
  for ((index = 0; index < machine_cores; index++)); do
    echo "core$(numbers $((index * machine[threads])) "${machine[threads]}")"
  done
  for ((index = 0; index < machine[nodes]; index++)); do
    other=$((machine_cores_a_node * machine[threads]))
    echo "node $index:$(numbers $((index * other)) $other)"
    echo "memory $index: ${machine[memory]}"
  done
  for ((index = 0; index < machine[nodes] && machine[nodes] > 1; index++)); do
    printf 'distance'
    for ((other = 0; other < machine[nodes]; other++)); do
      printf ' %s' "$(distance_between "$index" "$other")"
    done
    echo
  done
}

# numbers FIRST COUNT: prints COUNT numbers from FIRST on: " 4 5 6 7"
numbers() {
  local number
  for ((number = $1; number < $1 + $2; number++)); do printf ' %s' "$number"; done
}
