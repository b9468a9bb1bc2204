#!/bin/sh
# Reboots or powers off a light host by reboot(2), which ends this PID namespace. Anywhere else it would end the machine.
[ -e /run/hostler-light-host ] && [ "$(cat /proc/1/comm)" = init ] &&
  tr '\0' ' ' </proc/1/cmdline | grep -q '^/bin/sh /usr/lib/hostler-test/init ' ||
  { echo 'this is no light host' >&2; exit 1; }
case $1 in reboot | poweroff) ;; *) echo 'reboot or poweroff?' >&2; exit 1 ;; esac
[ ! -e /usr/lib/hostler-test/at-shutdown ] || . /usr/lib/hostler-test/at-shutdown
exec busybox "$1" -f
