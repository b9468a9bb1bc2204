import type { Setup } from './history.ts';

/** Two hosts that are restarted one after the other, on one server, and nothing goes wrong. */
export const PLAIN: Setup = {
  members: ['debian', 'fedora'],
  others: [],
  manager: 'trivial',
  foreign: [],
  controlPlane: [],
  bootDelays: { heardAfterMs: 0, readyAfterMs: 0 },
  pods: [],
  asked: { kind: 'restart', version: '', wish: { minHealthyS: 1 } },
  servers: 1,
  deaths: [],
  lastWords: [],
};
