/**
 * The checks that a reboot has to pass, each a shell function. They use `$folder`, `$file`, `$spare`, `$boot` and `$deadline`. A check
 * that does not pass calls `answer`, a check that cannot be made calls `fail`; neither returns. Each is a value of its own, so that a
 * test can break one and see that it is missed.
 */
export interface RebootGuards {
  /** `check_boot`: the boot is still the one that was recorded. */
  readonly boot: string;
  /** `check_deadline`: the host has not been up for longer than the command may be under way. */
  readonly deadline: string;
  /** `take_marker`: nobody has had the marker before. */
  readonly marker: string;
  /** `check_spare_marker`: the reboot was not called off while /run could not be written. It counts after the marker was taken. */
  readonly spareMarker: string;
}

export const BOOT_ID = '/proc/sys/kernel/random/boot_id';
export const UPTIME = '/proc/uptime';

/** What cat prints about a file that the shell could not read. */
export const readError = (file: string): string =>
  `"$(cat ${file} 2>&1 >/dev/null && echo 'the file is empty')"`;

export const BOOT_GUARD = `check_boot() {
  read -r current <${BOOT_ID} || fail read_boot_id ${readError(BOOT_ID)}
  [ "$current" = "$boot" ] || answer other_boot
}`;

/** In whole seconds of the host's own clock, which no server has to agree with. */
const DEADLINE_GUARD = `check_deadline() {
  read -r up rest <${UPTIME} || fail read_uptime ${readError(UPTIME)}
  up=\${up%%.*}
  case $up in '' | *[!0-9]*) fail read_uptime "unexpected content: $up" ;; esac
  [ "$up" -lt "$deadline" ] || answer too_late
}`;

// The folder keeps out all other senders. A sender can stop between folder and word, for a long time or for good; then takeMark
// creates the word. Without space for the word the sender removes its folder again, which costs no marker: rmdir removes only an
// empty folder, and no other script removes it.
const MARKER_GUARD = `take_marker() {
  write_file "$file.word" started
  error=$(mkdir -m 0700 "$folder" 2>&1) || {
    [ -d "$folder" ] || fail write_file "$error"
    answer marker_exists
  }
  error=$(ln "$file.word" "$folder/owner" 2>&1) || {
    [ ! -e "$folder/owner" ] || answer marker_exists
    rmdir "$folder"
    fail write_file "$error"
  }
}`;

const SPARE_MARKER_GUARD = `check_spare_marker() {
  [ ! -d "$spare" ] || answer marker_exists
}`;

export const REBOOT_GUARDS: RebootGuards = {
  boot: BOOT_GUARD,
  deadline: DEADLINE_GUARD,
  marker: MARKER_GUARD,
  spareMarker: SPARE_MARKER_GUARD,
};
