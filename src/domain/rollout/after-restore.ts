// What becomes of an operation when the store is brought back from a backup. Since then it may have gone on, may have ended, and others may
// have followed; nothing of that is known. What must hold: nothing that disturbs a host is begun before a person has looked.

import type { ReasonText } from '../hosts/reason-text.ts';
import { utcTime } from '../timestamp.ts';
import type { HostPhase } from '../vocabulary.ts';
import type { OperationStatus } from './operation.ts';
import { isOperationOpen } from './operation.ts';
import type { OperationHost } from './operation-host.ts';
import { asFailed, phaseGroupOf, withPhase } from './operation-host.ts';

/**
 * Its reboot was sent before the backup, under a marker that the host keeps until it is in another boot. What is left is to look, and to take
 * back our own cordon: that disturbs nobody, however often it is done.
 */
const READ_ONLY_PHASES: readonly HostPhase[] = ['rebooting', 'verifying', 'uncordoning'];

const unknownSinceMessage = (backupAt: string) =>
  `actions after the backup of ${utcTime(backupAt)} are unknown`;

/** How far an operation that is open has come on a host. The same one where it is as it was. */
export function hostAfterRestore(operationHost: OperationHost, at: string, backupAt: string): OperationHost {
  const { phase } = operationHost;
  switch (phaseGroupOf(phase)) {
    case 'waiting':
    case 'ended':
      return operationHost;
    // What it found may be wrong by now, and what is staged on some systems comes with any boot.
    case 'preparing':
      return { ...withPhase(operationHost, 'pending', at), stageResult: {} };
    // It may have been rebooted since, and would be once more; or it is in service again, and nothing is drained.
    case 'in_flight': {
      if (READ_ONLY_PHASES.includes(phase)) return operationHost;
      const problem: ReasonText = `restored: ${unknownSinceMessage(backupAt)}; check the host, then retry or skip it`;
      return asFailed(operationHost, at, { problem, holdsSlot: true });
    }
  }
}

/** Where an operation stands. One that is being cancelled starts nothing anyway; one that waits since an earlier restore still does. */
export function statusAfterRestore(status: OperationStatus, backupAt: string): OperationStatus {
  if (!isOperationOpen(status) || status.pause === 'restored') return status;
  const problem = `restored: ${unknownSinceMessage(backupAt)}; check the hosts, then resume or cancel the operation`;
  return status.state === 'cancelling'
    ? { ...status, problem }
    : { state: 'paused', pause: 'restored', problem };
}
