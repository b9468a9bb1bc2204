#!/bin/sh
# Becomes the first process of a fresh machine, in namespaces that are new, and runs a command in its checkout. Arguments: the root of the
# machine, then the command. It has the network, the devices and the control groups of this machine.
set -e
root=$1
shift
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
cd "$root"
pivot_root . mnt
# The shell stays, and buries whatever has lost its parent. What it runs beside itself would get no input otherwise.
exec chroot . /bin/sh -c 'umount -l /mnt; mkdir /run/lock; cd /root/hostler; exec 3<&0; "$@" <&3 3<&- & exec 3<&- </dev/null; wait $!' sh "$@"
