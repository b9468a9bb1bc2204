import type { Address } from '../addresses/address.ts';
import type { PlannedHost } from './planned-host.ts';

/** For tests: a host of a plan that has not been started. */
export const PENDING: PlannedHost = {
  host: '127.0.0.1' as Address,
  enrolment: 'e',
  position: 0,
  isControlPlane: false,
  phase: 'pending',
  isStaged: false,
  isUnreachable: false,
  unwanted: null,
  keepsSlot: false,
  isCordoned: false,
  attempt: 1,
  skipReason: null,
  asksToReboot: false,
  clearedUntilMs: null,
  isAlreadyThere: false,
  problem: '',
  prepared: {},
  phases: [],
  startedAt: null,
  finishedAt: null,
};
