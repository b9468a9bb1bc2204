// A new secret key wraps a new data key, and all secrets are encrypted again in batches while servers keep running.
// Invariants:
// - The data key of every sealed value is always in the store, wrapped by an existing secret key.
// - A transaction that seals a value locks the newest data key until it commits, and `startRotation` waits for these
//   locks. After it, no value is sealed with an older key.
// - A row that another transaction changes during a pass is skipped, because that transaction sealed it with the new
//   key. The last pass verifies this: it finds no row to re-encrypt.
// - The next rotation resumes an interrupted one.

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

/** Limits how long other transactions wait for a batch. */
const ROWS_PER_TRANSACTION = 50;
/** Lets waiting transactions proceed. */
const BATCH_DELAY_MS = 20;

export type SecretKeySource = {
  /** The first key wraps new data keys. The others only unwrap. */
  readonly keys: SecretKeys;
} & (
  | {
      prependNew(): void;
      retainOnly(keys: readonly Buffer[]): void;
    }
  | {
      /** For an administrator who must change the keys by hand. */
      readonly manualInstructions: string;
    }
);

type RotationPorts = Pick<Ports, 'store' | 'clock' | 'vault'>;

export interface RotationProgress {
  /** `isResumed`: an earlier rotation was interrupted. */
  onStart(isResumed: boolean): void;
  /** `sealed`: rows re-encrypted so far. */
  onProgress(sealed: number): void;
}

interface RotationStart {
  readonly isResumed: boolean;
  /** Data keys that are unused when this rotation ends. */
  readonly oldIds: readonly string[];
}

/** An interrupted rotation has already added the new data key. */
async function startRotation(ports: RotationPorts, source: SecretKeySource): Promise<RotationStart> {
  return runUnitOfWork(ports, LOCAL_ACTOR, async ({ records, emit }) => {
    const dataKeys = await records.dataKeys.lockAll();
    const newest = dataKeys.at(-1);
    if (newest === undefined) throw new OperatorError('the store has no data key yet; start the server once first');
    const isResumed = dataKeys.length > 1;
    if (!isResumed && isWrappedBy(source.keys()[0], newest)) {
      if ('manualInstructions' in source) throw new OperatorError(source.manualInstructions);
      // While the data keys are locked, so a concurrent rotation sees the new key.
      source.prependNew();
    }
    const secretKeys = source.keys();
    const [wrappingKey] = secretKeys;
    // Also on resume: an administrator may have added another secret key in the meantime.
    for (const key of dataKeys) await records.dataKeys.update(rewrap(key, secretKeys, wrappingKey));
    const ids = dataKeys.map(({ id }) => id);
    if (isResumed) return { isResumed, oldIds: ids.slice(0, -1) };
    const added = newDataKey(wrappingKey);
    await records.dataKeys.add(added);
    await emit({ type: 'data_key.rotated', subject: toRecordName(added.id) });
    return { isResumed, oldIds: ids };
  });
}

/** Returns false if the row is already sealed with the newest key. */
async function reencryptRow(vault: Vault, records: Repositories, { values, replace }: SealedRow): Promise<boolean> {
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

async function finishRotation(
  { store }: RotationPorts,
  source: SecretKeySource,
  { oldIds }: RotationStart,
): Promise<void> {
  await store.transaction(async records => {
    await records.dataKeys.lockAll();
    // Only the keys that were old at the start: another rotation may have started since.
    for (const id of oldIds) await records.dataKeys.remove(id);
  });
  if ('manualInstructions' in source) return;
  await store.transaction(async records => {
    const dataKeys = await records.dataKeys.lockAll();
    source.retainOnly(source.keys().filter(key => dataKeys.some(wrapped => isWrappedBy(key, wrapped))));
  });
}

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
