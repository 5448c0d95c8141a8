#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Takes ssh's place for a launcher: starts the command on this machine, under the other machine's name. So several nodes are one machine.
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec unshare --uts sh -c 'hostname "$0"; exec sh -c "$1"' "$host" "$*"
