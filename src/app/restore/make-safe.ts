// A store that was brought back from a backup is older than the world: operations have gone on since, hosts were rebooted, moved and
// repaired, and nothing of that is in it. What must hold: before a server works on it, nothing is left in it that would disturb a
// host by itself. It is done in one transaction, and may be done again.

import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import type { StoppedOperation } from './stop-operations.ts';
import { stopOperations } from './stop-operations.ts';

/** What was found, and is for people to look at. */
export interface MadeSafe {
  /** The latest time that the restored state knows of; `''`: none. */
  readonly backupAt: string;
  readonly operations: readonly StoppedOperation[];
  /** Hosts that were about to be taken out of a container manager or a network, and are not any more. */
  readonly notTakenOut: readonly Address[];
}

interface Wish {
  /** All hosts that are watched are checked within this time. */
  readonly checkWithinMs: number;
}

export const makeSafe = (
  ports: Pick<Ports, 'store' | 'clock'>,
  { checkWithinMs }: Wish,
): Promise<MadeSafe | AppError> =>
  change(ports, LOCAL_ACTOR, async under => {
    const { records } = under;
    const nowMs = await records.nowMs();
    // An embedded store is locked by whoever restores it, and the servers in it are those of the backup.
    const alive = ports.store.isShared ? await records.restoredState.countServersAlive(nowMs) : 0;
    if (alive > 0) return stillRunning(alive);
    const backupAt = await records.restoredState.newestTime();
    const operations = await stopOperations(under, backupAt);
    await records.restoredState.voidClaims();
    // Whoever was signed out since the backup must not be signed in again.
    await records.loginSessions.removeAll();
    // By now the host may be back where it was to be taken out of, with load on it. To bring hosts in is safe: one that is in
    // something else is left alone.
    const notTakenOut = await records.restoredState.dropWork('leave');
    await records.restoredState.checkAll(nowMs, checkWithinMs);
    // Whoever follows what happens is told that it is not what it was: with this entry the numbers of the log go on far ahead, and
    // positions before it are not kept.
    const data = { backup_at: backupAt, ...(notTakenOut.length > 0 && { cleanup_skipped: notTakenOut }) };
    await under.tell({ type: 'service.restored', subject: 'service', data });
    return { backupAt, operations, notTakenOut };
  });

const stillRunning = (servers: number) =>
  new AppError(
    'invalid_state',
    `${servers === 1 ? 'a server is' : `${servers} servers are`} still using this store; stop all servers, wait lease_s seconds, then run this command again`,
  );
