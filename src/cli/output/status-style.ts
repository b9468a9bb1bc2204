import type { Style } from './style.ts';

/** Of hosts, clusters, operations and hosts of operations: each word means one thing wherever it is used. */
const STYLES: Readonly<Record<string, Style>> = {
  active: 'good',
  ok: 'good',
  finished: 'good',
  done: 'good',
  failed: 'bad',
  unreachable: 'bad',
  degraded: 'doubtful',
  disassociated: 'quiet',
  paused: 'doubtful',
  cancelled: 'quiet',
  skipped: 'quiet',
};

export const statusStyle = (status: string): Style | undefined => STYLES[status];
