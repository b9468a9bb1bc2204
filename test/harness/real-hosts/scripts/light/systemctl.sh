#!/bin/sh
# What a light host has for systemctl: it can go down, and says that all is well. Like the real one it answers before it goes.
# Whoever asked may hang up at once, before what goes on has a session of its own.
trap '' HUP
while :; do case $1 in -*[a-z]*) [ "$1" = --version ] && break; shift ;; *) break ;; esac; done
case $1 in
reboot) setsid sh -c 'sleep 0.1; exec /usr/lib/hostler-test/restart reboot' </dev/null >/dev/null 2>&1 & ;;
poweroff | halt) setsid sh -c 'sleep 0.1; exec /usr/lib/hostler-test/restart poweroff' </dev/null >/dev/null 2>&1 & ;;
is-system-running) echo running ;;
is-active) echo active ;;
--version) echo 'systemd 252 (a light host)' ;;
esac
exit 0
