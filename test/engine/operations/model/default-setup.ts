import type { Setup } from './history.ts';

/** One server restarts two hosts, one after the other, without faults. */
export const DEFAULT_SETUP: Setup = {
  members: ['debian', 'fedora'],
  others: [],
  manager: 'trivial',
  cordoned: [],
  controlPlane: [],
  bootMs: 20_000,
  bootDelays: { reportedAfterMs: 0, readyAfterMs: 0 },
  pods: [],
  request: { kind: 'restart', version: '', policy: { minHealthyS: 1 } },
  servers: 1,
  crashes: [],
  finalRequests: [],
};
