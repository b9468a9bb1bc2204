import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { newHost } from '../../src/domain/hosts/host.ts';
import { hostSourceDrivers } from '../../src/drivers/host-source/index.ts';
import { SourceRefreshers } from '../../src/engine/sources/source-refresher.ts';
import { ConnectionPool } from '../../src/integrations/http/connection-pool.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { validateSources } from '../../src/server/configuration/source-settings.ts';
import { createSources } from '../../src/server/wiring/create-drivers.ts';
import { optionsConform } from '../conformance/driver-options.ts';
import { hostSourceConforms } from '../conformance/host-source.ts';
import { createTestDatabase, openTestDatabase } from '../harness/stores/stores.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { toy } from './toy-host-source.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-toy-source-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'hosts.csv');
const connections = new ConnectionPool();

optionsConform(toy, { good: [['a path', { path: '/hosts.csv' }]], bad: [['no path', {}, ['/path']]] });

hostSourceConforms('toy', async () => {
  let lines = '';
  const recover = async () => writeFileSync(file, lines);
  return {
    source: toy.open({ options: { path: file }, connections }),
    async setRecords(records) {
      const cells = Object.entries(records).map(([host, record]) =>
        record === 'invalid'
          ? [host, '', 'eight', '-1', '1e9']
          : [host, record.os, record.cpus, record.memory, record.space, record.hostname],
      );
      lines = cells.map(line => line.join(',')).join('\n');
      await recover();
    },
    fail: async () => rmSync(file),
    recover,
    close: async () => {},
  };
});

test('a new source is configured and read like any other', async () => {
  const drivers = [...hostSourceDrivers, toy];
  const entries = [{ name: 'mine', type: 'toy', path: file }];
  expect(validateSources(entries, [...hostSourceDrivers])).toEqual([
    { settingPath: '[0].type', message: expect.stringContaining('must be one of') },
  ]);
  expect(validateSources(entries, drivers)).toEqual([]);
  expect(validateSources([{ name: 'mine', type: 'toy' }], drivers)).toEqual([
    { settingPath: '[0].path', message: 'is required' },
  ]);

  writeFileSync(file, '127.0.0.1,debian,8,,,\n');
  const database = await createTestDatabase('sqlite');
  const store = await openTestDatabase(database);
  const address = '127.0.0.1' as Address;
  await store.transaction(records => records.hosts.insertOrLock(newHost(address, { enrolment: 'e', source: 'mine' })));
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const ports = { store, clock: systemClock, log, osNames: ['debian'] };
  const sources = SourceRefreshers.start(ports, createSources(entries, drivers, connections));
  try {
    await waitUntil(
      'the facts are stored',
      async () => (await store.reads.hosts.get(address))?.sourceFacts?.cpus === 8,
    );
    expect((await store.reads.hosts.getEntry(address))?.entryJson).toContain('"os":"debian","cpus":8');
  } finally {
    await sources.stop();
    await store.close();
    await database.remove();
  }
});
