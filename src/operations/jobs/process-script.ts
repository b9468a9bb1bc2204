/**
 * When a process was started, in ticks since the boot: with that a process is not taken for another that got its number later. It is
 * field 22; the name of the program, field 2, is in brackets and may itself have brackets and blanks.
 * One that has ended and was not buried by its parent is gone.
 */
export const STARTED = `started() {
  read -r line <"/proc/$1/stat" || return 1
  set -- \${line##*) }
  [ "$1" != Z ] || return 1
  printf '%s' "\${20}"
}`;
