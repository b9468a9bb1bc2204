#!/bin/sh
# Turns fresh namespaces into a light host, and becomes its PID 1. Arguments: the host's folder, its name, the layers below it.
set -e
host=$1 name=$2 layers=$3 root=$1/root
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$layers,upperdir=$host/upper,workdir=$host/work" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount --bind "$host/boot-id" "$root/proc/sys/kernel/random/boot_id"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
mount -t tmpfs -o mode=755,size=16m tmpfs "$root/run"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/tmp"
hostname "$name"
cd "$root"
pivot_root . mnt
exec chroot . /usr/lib/hostler-test/init
