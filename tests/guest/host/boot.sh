# SPDX-License-Identifier: BSD-3-Clause
# Boots the machine whose description machine.sh has read, and receives the files that the guest sends.

kernel_words="console=ttyS0 quiet panic=-1 reboot=t mitigations=off random.trust_cpu=on nowatchdog"
# Two cores emulate sixteen processors. A slow processor may seem stuck, and its clock may seem wrong. The kernel must ignore both.
kernel_words+=" rcupdate.rcu_cpu_stall_suppress=1 tsc=reliable no_timer_check"

# boot KERNEL ARCHIVE RESULTS SECONDS [QEMU OPTION...]: boots the guest, and puts its files and console.log in RESULTS. Returns 0
# if the guest ran to its end, 1 otherwise.
boot() {
  local kernel=$1 archive=$2 results=$3 seconds=$4 status=0 silent=0
  rm -f "$results/sent.tgz"
  shift 4
  local -a options
  mapfile -t options < <(machine_options)
  timeout --kill-after=5 "$seconds" qemu-system-x86_64 -accel tcg,thread=multi "${options[@]}" \
    -nodefaults -no-user-config -display none -no-reboot \
    -serial "file:$results/console.log" -serial "file:$results/sent.tgz" \
    -kernel "$kernel" -initrd "$archive" -append "$kernel_words" "$@" </dev/null \
    2> >(grep -v 'numa node,mem is deprecated' >&2) &
  qemu=$!
  watch_guest "$results/sent.tgz" || silent=1
  wait "$qemu" || status=$?
  qemu=
  # The file has several archives: with -i tar continues after the end of an archive.
  gzip -dc "$results/sent.tgz" 2>/dev/null | tar -x -i -C "$results" 2>/dev/null
  rm -f "$results/sent.tgz"
  [[ -e $results/finished ]] && return 0
  if ((silent)); then
    say "the guest was stopped, because it sent nothing for too long"
  elif ((status == 124 || status == 137)); then
    say "the guest was stopped after $seconds s"
  else
    say "QEMU ended with status $status before the guest did"
  fi
  return 1
}

# watch_guest FILE: waits until QEMU ends. A guest that hangs writes nothing to FILE, and is stopped. Returns 1 if the guest was stopped.
watch_guest() {
  local file=$1 size=0 now since=$SECONDS patience=${machine[boot-seconds]}
  while kill -0 "$qemu" 2>/dev/null; do
    sleep 0.2
    now=$(stat -c %s "$file" 2>/dev/null) || continue
    if ((now != size)); then
      size=$now since=$SECONDS patience=$((machine[boot-seconds] + job_seconds))
    elif ((SECONDS - since > patience)); then
      kill -TERM "$qemu"
      return 1
    fi
  done
  return 0
}
