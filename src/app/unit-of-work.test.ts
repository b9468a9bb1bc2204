import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOutboxEntries } from '../../test/harness/events/outbox-entries.ts';
import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import { toRecordName } from '../domain/record-name.ts';
import { openSqlite } from '../store/sqlite/open-sqlite.ts';
import type { Store } from '../store/store.ts';
import { runUnitOfWork } from './unit-of-work.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-unit-of-work-'));
let store: Store;
beforeAll(async () => {
  store = await openSqlite(folder);
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

test('runUnitOfWork uses one timestamp, taken at the first event', async () => {
  let nowMs = 1000;
  const ports = { store, clock: { now: () => nowMs, monotonicMs: () => nowMs } };
  const subject = toRecordName('n');
  await runUnitOfWork(ports, LOCAL_ACTOR, async ({ emit, now }) => {
    nowMs = 5000;
    await emit({ type: 'network.removed', subject });
    nowMs = 9000;
    await emit({ type: 'network.removed', subject });
    expect(now()).toBe('1970-01-01T00:00:05.000000');
  });
  expect((await listOutboxEntries(store)).map(entry => entry.at)).toEqual(Array(2).fill('1970-01-01T00:00:05.000000'));
});
