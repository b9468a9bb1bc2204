import { readFileSync } from 'node:fs';

/** How long this machine runs already. A time namespace with that much taken off begins at zero, as a host that was just booted. */
export const secondsUp = (): number => Math.floor(Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]));
