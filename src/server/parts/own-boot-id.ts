import { readFileSync } from 'node:fs';

/** Of the machine that this server runs on, so that no operation ever reboots it; `''` where there is none. */
export function ownBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
