#!/bin/sh
# Becomes the first process of a fresh machine, in namespaces that are new, and runs a command in its checkout. Arguments: the root of the
# machine, then the command. It has the network and the control groups of this machine, and is root of its kernel; it has none of its
# disks and may not write to its /sys.
set -e
root=$1
shift
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
# Control groups are mounts of their own below it, and stay as they are.
mount -o remount,bind,ro "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for number in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${number%:*}" "$root/dev/${number#*:}"; done
mount -t tmpfs -o mode=755 tmpfs "$root/run"
cd "$root"
pivot_root . mnt
# The shell stays, and buries whatever has lost its parent. What it runs beside itself would get no input otherwise.
exec chroot . /bin/sh -c 'umount -l /mnt; mkdir /run/lock; cd /root/hostler; exec 3<&0; "$@" <&3 3<&- & exec 3<&- </dev/null; wait $!' sh "$@"
