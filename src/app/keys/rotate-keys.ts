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
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { toRecordName } from '../../domain/record-name.ts';
import type { Sealed, Vault } from '../../domain/secret.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import type { SecretKeys } from '../../secrets/keyring.ts';
import { dataKeyIdOf, isWrappedBy, newDataKey, rewrap } from '../../secrets/keyring.ts';
import type { Records } from '../../store/records.ts';
import type { SealedRow } from '../../store/repositories/secrets/sealed-row.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';

/** How many rows are sealed anew in one transaction, which others may have to wait for. */
const ROWS_AT_A_TIME = 50;
/** Between two of them, so that those who waited get their turn. */
const PAUSE_MS = 20;

/** Where the secret keys are kept. */
export type SecretKeyPlace = {
  /** The first one wraps; the others still open. */
  readonly keys: SecretKeys;
} & (
  | {
      /** Puts a new key before the others. */
      addNew(): void;
      /** Forgets all keys but these. */
      keepOnly(keys: readonly Buffer[]): void;
    }
  | {
      /** Only a person can: what there is to do. */
      readonly howToAdd: string;
    }
);

type RotationPorts = Pick<Ports, 'store' | 'clock' | 'vault'>;

export interface RotationSteps {
  /** There are new keys, or those of a rotation that was cut off. */
  began(isResumed: boolean): void;
  /** So many rows have been sealed anew. */
  progressed(sealed: number): void;
}

interface Begun {
  readonly isResumed: boolean;
  /** The data keys that nothing will need when this rotation has come to its end. */
  readonly oldIds: readonly string[];
}

/** Wraps the keys that are there by the new secret key, and adds a new one; unless a rotation before has left that unfinished. */
async function begin(ports: RotationPorts, place: SecretKeyPlace): Promise<Begun> {
  return change(ports, LOCAL_ACTOR, async ({ records, tell }) => {
    const kept = await records.dataKeys.lockAll();
    const newest = kept.at(-1);
    if (newest === undefined)
      throw new PlainError('the store has no data key yet; start the server once first');
    const isResumed = kept.length > 1;
    if (!isResumed && isWrappedBy(place.keys()[0], newest)) {
      if ('howToAdd' in place) throw new PlainError(place.howToAdd);
      // While the keys are locked, so that of two rotations the second sees what the first has added.
      place.addNew();
    }
    const secretKeys = place.keys();
    const [wrapping] = secretKeys;
    // All of them, also when it is gone on with: by then somebody may have put yet another secret key before the others.
    for (const key of kept) await records.dataKeys.update(rewrap(key, secretKeys, wrapping));
    const ids = kept.map(({ id }) => id);
    if (isResumed) return { isResumed, oldIds: ids.slice(0, -1) };
    const added = newDataKey(wrapping);
    await records.dataKeys.add(added);
    await tell({ type: 'data_key.rotated', subject: toRecordName(added.id) });
    return { isResumed, oldIds: ids };
  });
}

/** Whether the row was sealed with an older key than the newest. */
async function sealAnew(vault: Vault, records: Records, { values, replace }: SealedRow): Promise<boolean> {
  const newest = await records.dataKeys.lockNewest();
  if (values.every(({ sealed }) => dataKeyIdOf(sealed) === newest)) return false;
  const renewed = new Map<Sealed, Sealed>();
  for (const { sealed, place } of values) {
    const secret = await vault.open(sealed, place, records.dataKeys);
    renewed.set(sealed, await vault.seal(secret, place, records.dataKeys));
  }
  await replace(renewed);
  return true;
}

/** One walk through the store. Answers how many rows were sealed anew, after `sealedBefore`. */
async function walk(
  { store, vault }: RotationPorts,
  steps: RotationSteps,
  sealedBefore: number,
): Promise<number> {
  let sealed = 0;
  for (let cursor = { table: 0, after: '' }; ; ) {
    const { next, count } = await store.transaction(async records => {
      const part = await records.sealedRows.part(cursor, ROWS_AT_A_TIME);
      let sealedHere = 0;
      for (const row of part.rows) if (await sealAnew(vault, records, row)) sealedHere += 1;
      return { next: part.next, count: sealedHere };
    });
    sealed += count;
    steps.progressed(sealedBefore + sealed);
    if (next === undefined) return sealed;
    cursor = next;
    if (count > 0) await delay(PAUSE_MS);
  }
}

/** The data keys that were old when this rotation began go, and with them the secret keys that wrap none. */
async function finish({ store }: RotationPorts, place: SecretKeyPlace, { oldIds }: Begun): Promise<void> {
  await store.transaction(async records => {
    await records.dataKeys.lockAll();
    // Not all but the newest: another rotation may have begun since.
    for (const id of oldIds) await records.dataKeys.remove(id);
  });
  if ('howToAdd' in place) return;
  await store.transaction(async records => {
    const kept = await records.dataKeys.lockAll();
    place.keepOnly(place.keys().filter(key => kept.some(wrapped => isWrappedBy(key, wrapped))));
  });
}

/** Gives the store a new data key, wrapped by a new secret key, and encrypts every secret with it. */
export async function rotateKeys(
  ports: RotationPorts,
  place: SecretKeyPlace,
  steps: RotationSteps,
): Promise<void> {
  const begun = await begin(ports, place);
  steps.began(begun.isResumed);
  let [total, sealed] = [0, 0];
  do {
    sealed = await walk(ports, steps, total);
    total += sealed;
  } while (sealed > 0);
  await finish(ports, place, begun);
}
