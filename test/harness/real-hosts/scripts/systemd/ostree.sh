#!/bin/sh
# ostree with the one command that the ostree of the image, 2022.7, lacks: `admin lock-finalization`, which came with 2023.8. What it says
# is from src/ostree/ot-admin-builtin-lock-finalization.c. The lock is the file that ostree had for it before, and heeds.
staged=/run/ostree/staged-deployment
locked=$staged-locked
case "$1 $2" in
'admin lock-finalization') ;;
*) exec /usr/bin/ostree "$@" ;;
esac
[ -e $staged ] || {
  echo 'error: No staged deployment' >&2
  exit 1
}
case $3:$(ls $locked 2>/dev/null) in
--unlock:) echo 'Staged deployment is already prepared for finalization' ;;
--unlock:?*) rm $locked && echo 'Staged deployment is now queued to apply on shutdown' ;;
:) : >$locked && echo 'Staged deployment is now finalization locked' ;;
*) echo 'Staged deployment is already finalization locked' ;;
esac
