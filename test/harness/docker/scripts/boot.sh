#!/bin/sh
# Becomes a Docker daemon in fresh namespaces. Arguments: its folder, its name, its control group, its network card, its address, then
# more arguments of dockerd. The card comes from outside, when the namespaces are there.
set -e
folder=$1 name=$2 cgroup=$3 card=$4 address=$5
shift 5
mount --make-rprivate /
mount -t proc proc /proc
# The socket, and all that Docker and containerd note while they run.
mount -t tmpfs -o mode=755 tmpfs /run
hostname "$name"
ip link set lo up
until ip link show "$card" >/dev/null 2>&1; do sleep 0.02; done
ip address add "$address/24" dev "$card"
ip link set "$card" up
exec dockerd --data-root "$folder/data" --cgroup-parent "/$cgroup" --exec-opt native.cgroupdriver=cgroupfs \
  -H unix:///var/run/docker.sock -H "tcp://$address:2376" --tlsverify "$@"
