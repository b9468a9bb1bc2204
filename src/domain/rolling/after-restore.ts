// What becomes of an operation when the store is brought back from a backup. Since then it may have gone on, may have ended, and others may
// have followed; nothing of that is known. What must hold: nothing that disturbs a host is begun before a person has looked.

import type { ReasonText } from '../hosts/reason-text.ts';
import { utcTime } from '../timestamp.ts';
import type { HostPhase } from '../vocabulary.ts';
import { partOf } from './host-phase.ts';
import type { Standing } from './operation.ts';
import { isOpen } from './operation.ts';
import type { PlannedHost } from './planned-host.ts';
import { entered, gaveUp } from './planned-host.ts';

/**
 * Its reboot was sent before the backup, under a marker that the host keeps until it is in another boot. What is left is to look, and to take
 * back our own cordon: that disturbs nobody, however often it is done.
 */
const ONLY_LOOKS: readonly HostPhase[] = ['rebooting', 'verifying', 'uncordoning'];

const unknownSince = (backupAt: string) => `actions after the backup of ${utcTime(backupAt)} are unknown`;

/** How far an operation that is open has come on a host. The same one where it is as it was. */
export function hostAfterRestore(planned: PlannedHost, at: string, backupAt: string): PlannedHost {
  const { phase } = planned;
  switch (partOf(phase)) {
    case 'waiting':
    case 'ended':
      return planned;
    // What it found may be wrong by now, and what is staged on some systems comes with any boot.
    case 'preparing':
      return { ...entered(planned, 'pending', at), prepared: {} };
    // It may have been rebooted since, and would be once more; or it is in service again, and nothing is drained.
    case 'in flight': {
      if (ONLY_LOOKS.includes(phase)) return planned;
      const problem: ReasonText = `restored: ${unknownSince(backupAt)}; check the host, then retry or skip it`;
      return gaveUp(planned, at, { problem, keepsSlot: true });
    }
  }
}

/** Where an operation stands. One that is being cancelled starts nothing anyway; one that waits since an earlier restore still does. */
export function standingAfterRestore(standing: Standing, backupAt: string): Standing {
  if (!isOpen(standing) || standing.pause === 'restored') return standing;
  const problem = `restored: ${unknownSince(backupAt)}; check the hosts, then resume or cancel the operation`;
  return standing.state === 'cancelling'
    ? { ...standing, problem }
    : { state: 'paused', pause: 'restored', problem };
}
