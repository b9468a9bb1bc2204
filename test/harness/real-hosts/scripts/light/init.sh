#!/bin/sh
# PID 1 of a light host: starts sshd, and waits for whatever else ends. /run is new at each boot.
umount -l /mnt
mkdir -p /run/sshd /run/lock
: >/run/hostler-light-host
[ ! -e /usr/lib/hostler-test/at-boot ] || . /usr/lib/hostler-test/at-boot
/usr/sbin/sshd -D -e </dev/null >>/var/log/sshd.log 2>&1 &
wait $!
