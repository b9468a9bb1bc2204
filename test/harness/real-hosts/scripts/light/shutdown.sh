#!/bin/sh
# reboot, poweroff, halt and shutdown of a light host, all of which are this.
case ${0##*/}" $*" in
reboot* | *' -r'*) exec systemctl reboot ;;
*) exec systemctl poweroff ;;
esac
