/**
 * What a reboot has to pass, each a function of the shell. They know `$folder`, `$file`, `$boot` and `$deadline`, and refuse by
 * `answer`, which does not come back. They are apart so that a test can break one of them, and see that it is missed.
 */
export interface RebootGuards {
  /** `check_boot`: the boot is still the one that was recorded. */
  readonly boot: string;
  /** `check_deadline`: the host has not been up for longer than the command may be under way. */
  readonly deadline: string;
  /** `take_marker`: nobody has had the marker before. */
  readonly marker: string;
}

export const BOOT_GUARD = `check_boot() {
  read -r current </proc/sys/kernel/random/boot_id || answer unclear
  [ "$current" = "$boot" ] || answer other_boot
}`;

/** In whole seconds of the host's own clock, which no server has to agree with. */
const DEADLINE_GUARD = `check_deadline() {
  read -r up rest </proc/uptime || answer unclear
  up=\${up%%.*}
  case $up in '' | *[!0-9]*) answer unclear ;; esac
  [ "$up" -lt "$deadline" ] || answer too_late
}`;

// The folder keeps out all other senders. Between it and the word one may stop for long, or for good; then takeMark takes the word.
const MARKER_GUARD = `take_marker() {
  printf 'begun\\n' >"$file.word" || answer unclear
  mkdir -m 0700 "$folder" || {
    [ -d "$folder" ] || answer unclear
    answer marker_there
  }
  ln "$file.word" "$folder/by" || answer marker_there
}`;

export const REBOOT_GUARDS: RebootGuards = {
  boot: BOOT_GUARD,
  deadline: DEADLINE_GUARD,
  marker: MARKER_GUARD,
};
