// After a restore from a backup, actions since the backup are unknown: the operation may have continued or ended, and
// others may have followed. Invariant: nothing that disturbs a host starts before a person has checked it.

import type { ReasonText } from '../hosts/reason-text.ts';
import { utcTime } from '../timestamp.ts';
import type { OperationStatus } from './operation.ts';
import { isOperationOpen } from './operation.ts';
import type { OperationHost } from './operation-host.ts';
import { asFailed, phaseGroupOf, REBOOT_SENT_PHASES, withPhase } from './operation-host.ts';

const unknownSinceMessage = (backupAt: string) => `actions after the backup of ${utcTime(backupAt)} are unknown`;

/** Returns the same object if nothing changes. */
export function hostAfterRestore(operationHost: OperationHost, at: string, backupAt: string): OperationHost {
  const { phase } = operationHost;
  switch (phaseGroupOf(phase)) {
    case 'waiting':
    case 'ended':
      return operationHost;
    // The preflight result may be outdated, and on some systems any boot activates the staged version.
    case 'preparing':
      return { ...withPhase(operationHost, 'pending', at), stageResult: {} };
    // The host may have rebooted since and would reboot again, or it is back in service and no longer drained.
    case 'in_flight': {
      // A sent reboot has a marker that the host keeps until it has rebooted. The remaining steps only read and remove
      // our own cordon.
      if (REBOOT_SENT_PHASES.includes(phase)) return operationHost;
      const problem: ReasonText = `restored: ${unknownSinceMessage(backupAt)}; check the host, then retry or skip it`;
      return asFailed(operationHost, at, { problem, holdsSlot: true });
    }
  }
}

/** A cancelling operation starts nothing, so it is not paused. */
export function statusAfterRestore(status: OperationStatus, backupAt: string): OperationStatus {
  if (!isOperationOpen(status) || status.pause === 'restored') return status;
  const problem = `restored: ${unknownSinceMessage(backupAt)}; check the hosts, then resume or cancel the operation`;
  return status.state === 'cancelling' ? { ...status, problem } : { state: 'paused', pause: 'restored', problem };
}
