import type { Style } from './style.ts';

/** Of hosts, clusters, operations, hosts of operations, webhooks and tokens: each word means one thing wherever it is used. */
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
  failing: 'doubtful',
  parked: 'bad',
  usable: 'good',
  used_up: 'quiet',
  expired: 'quiet',
};

export const statusStyle = (status: string): Style | undefined => STYLES[status];
