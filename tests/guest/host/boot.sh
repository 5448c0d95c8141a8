# SPDX-License-Identifier: BSD-3-Clause
# Boots the machine that machine.sh has read, and brings back what it sends. Sourced by `guest`.

kernel_words="console=ttyS0 quiet panic=-1 reboot=t mitigations=off random.trust_cpu=on nowatchdog"
# Two cores play sixteen: what looks stuck is only slow, and the clocks are not worth comparing.
kernel_words+=" rcupdate.rcu_cpu_stall_suppress=1 tsc=reliable no_timer_check"

# boot KERNEL ARCHIVE RESULTS SECONDS [QEMU OPTION...]: fills RESULTS with the guest's files and
# console.log. Returns 0 if the guest came to its end, 1 otherwise.
boot() {
  local kernel=$1 archive=$2 results=$3 seconds=$4 status=0
  shift 4
  local -a options
  mapfile -t options < <(machine_options)
  timeout --kill-after=5 "$seconds" qemu-system-x86_64 -accel tcg,thread=multi "${options[@]}" \
    -nodefaults -no-user-config -display none -no-reboot \
    -serial "file:$results/console.log" -serial "file:$results/sent.tgz" \
    -kernel "$kernel" -initrd "$archive" -append "$kernel_words" "$@" </dev/null \
    2> >(grep -v 'numa node,mem is deprecated' >&2) &
  qemu=$!
  wait "$qemu" || status=$?
  qemu=
  # Concatenated archives: -i reads on behind the end of each.
  gzip -dc "$results/sent.tgz" 2>/dev/null | tar -x -i -C "$results" 2>/dev/null
  rm -f "$results/sent.tgz"
  [[ -e $results/finished ]] && return 0
  if ((status == 124 || status == 137)); then
    say "the guest was stopped after $seconds s"
  else
    say "QEMU ended with status $status before the guest did"
  fi
  return 1
}
