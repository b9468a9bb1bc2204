// Rotation: another secret key wraps, another data key encrypts, and every secret is encrypted anew; while servers go on working.
//
//   begin ──▶ every sealed value, some at a time ──▶ finish
//
// What must hold: at each moment every value's data key is in the store, wrapped by a secret key that is kept outside. Whoever seals
// a value holds the newest data key until the value is committed, and `begin` waits for them; so after it nothing is sealed with an
// older key, and what was is found by a walk through the store. A row that somebody changes meanwhile is left alone, for whoever
// changed it sealed it anew; that this holds is what the last walk shows, which finds nothing. A rotation that was cut off is gone on
// with by the next one.

import { setTimeout as delay } from 'node:timers/promises';
import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import { toRecordName } from '../domain/record-name.ts';
import type { Sealed, Vault } from '../domain/secret.ts';
import { OperatorError } from '../lib/errors.ts';
import type { SecretKeys } from '../secrets/keyring.ts';
import { dataKeyIdOf, isWrappedBy, newDataKey, rewrap } from '../secrets/keyring.ts';
import type { Repositories } from '../store/repositories/index.ts';
import type { SealedRow } from '../store/repositories/sealed-rows.ts';
import type { Ports } from './ports.ts';
import { runUnitOfWork } from './unit-of-work.ts';

/** How many rows are sealed anew in one transaction, which others may have to wait for. */
const ROWS_PER_TRANSACTION = 50;
/** Between two of them, so that those who waited get their turn. */
const BATCH_DELAY_MS = 20;

/** Where the secret keys are kept. */
export type SecretKeySource = {
  /** The first one wraps; the others still open. */
  readonly keys: SecretKeys;
} & (
  | {
      /** Puts a new key before the others. */
      prependNew(): void;
      /** Forgets all keys but these. */
      retainOnly(keys: readonly Buffer[]): void;
    }
  | {
      /** Only a person can: what there is to do. */
      readonly manualInstructions: string;
    }
);

type RotationPorts = Pick<Ports, 'store' | 'clock' | 'vault'>;

export interface RotationProgress {
  /** There are new keys, or those of a rotation that was cut off. */
  onStart(isResumed: boolean): void;
  /** So many rows have been sealed anew. */
  onProgress(sealed: number): void;
}

interface RotationStart {
  readonly isResumed: boolean;
  /** The data keys that nothing will need when this rotation has come to its end. */
  readonly oldIds: readonly string[];
}

/** Wraps the keys that are there by the new secret key, and adds a new one; unless a rotation before has left that unfinished. */
async function startRotation(ports: RotationPorts, source: SecretKeySource): Promise<RotationStart> {
  return runUnitOfWork(ports, LOCAL_ACTOR, async ({ records, emit }) => {
    const dataKeys = await records.dataKeys.lockAll();
    const newest = dataKeys.at(-1);
    if (newest === undefined)
      throw new OperatorError('the store has no data key yet; start the server once first');
    const isResumed = dataKeys.length > 1;
    if (!isResumed && isWrappedBy(source.keys()[0], newest)) {
      if ('manualInstructions' in source) throw new OperatorError(source.manualInstructions);
      // While the keys are locked, so that of two rotations the second sees what the first has added.
      source.prependNew();
    }
    const secretKeys = source.keys();
    const [wrappingKey] = secretKeys;
    // All of them, also when it is gone on with: by then somebody may have put yet another secret key before the others.
    for (const key of dataKeys) await records.dataKeys.update(rewrap(key, secretKeys, wrappingKey));
    const ids = dataKeys.map(({ id }) => id);
    if (isResumed) return { isResumed, oldIds: ids.slice(0, -1) };
    const added = newDataKey(wrappingKey);
    await records.dataKeys.add(added);
    await emit({ type: 'data_key.rotated', subject: toRecordName(added.id) });
    return { isResumed, oldIds: ids };
  });
}

/** Whether the row was sealed with an older key than the newest. */
async function reencryptRow(
  vault: Vault,
  records: Repositories,
  { values, replace }: SealedRow,
): Promise<boolean> {
  const newest = await records.dataKeys.lockNewest();
  if (values.every(({ sealed }) => dataKeyIdOf(sealed) === newest)) return false;
  const resealed = new Map<Sealed, Sealed>();
  for (const { sealed, location } of values) {
    const secret = await vault.open(sealed, location, records.dataKeys);
    resealed.set(sealed, await vault.seal(secret, location, records.dataKeys));
  }
  await replace(resealed);
  return true;
}

/** One walk through the store. Answers how many rows were sealed anew, after `sealedBefore`. */
async function reencryptPass(
  { store, vault }: RotationPorts,
  progress: RotationProgress,
  sealedBefore: number,
): Promise<number> {
  let sealed = 0;
  for (let cursor = { table: 0, after: '' }; ; ) {
    const { next, count } = await store.transaction(async records => {
      const batch = await records.sealedRows.readPage(cursor, ROWS_PER_TRANSACTION);
      let sealedInBatch = 0;
      for (const row of batch.rows) if (await reencryptRow(vault, records, row)) sealedInBatch += 1;
      return { next: batch.next, count: sealedInBatch };
    });
    sealed += count;
    progress.onProgress(sealedBefore + sealed);
    if (next === undefined) return sealed;
    cursor = next;
    if (count > 0) await delay(BATCH_DELAY_MS);
  }
}

/** The data keys that were old when this rotation began go, and with them the secret keys that wrap none. */
async function finishRotation(
  { store }: RotationPorts,
  source: SecretKeySource,
  { oldIds }: RotationStart,
): Promise<void> {
  await store.transaction(async records => {
    await records.dataKeys.lockAll();
    // Not all but the newest: another rotation may have begun since.
    for (const id of oldIds) await records.dataKeys.remove(id);
  });
  if ('manualInstructions' in source) return;
  await store.transaction(async records => {
    const dataKeys = await records.dataKeys.lockAll();
    source.retainOnly(source.keys().filter(key => dataKeys.some(wrapped => isWrappedBy(key, wrapped))));
  });
}

/** Gives the store a new data key, wrapped by a new secret key, and encrypts every secret with it. */
export async function rotateKeys(
  ports: RotationPorts,
  source: SecretKeySource,
  progress: RotationProgress,
): Promise<void> {
  const start = await startRotation(ports, source);
  progress.onStart(start.isResumed);
  let [total, sealed] = [0, 0];
  do {
    sealed = await reencryptPass(ports, progress, total);
    total += sealed;
  } while (sealed > 0);
  await finishRotation(ports, source, start);
}
