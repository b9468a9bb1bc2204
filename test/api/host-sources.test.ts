// Hosts whose facts come from a configured source. Here the source is a file that changes while the server
// runs.

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { newHost } from '../../src/domain/hosts/host.ts';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { waitUntil } from '../harness/wait-until.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Status {
  readonly host: {
    readonly hostname?: string;
    readonly source?: {
      readonly name: string;
      readonly refreshed_at?: string;
      readonly age_s?: number;
      readonly known: boolean;
      readonly problem?: string;
    };
  };
}

class Inventory {
  readonly path: string;

  constructor(name: string) {
    this.path = path.join(folder, name);
  }

  write(text: string): void {
    writeFileSync(`${this.path}.new`, text);
    renameSync(`${this.path}.new`, this.path);
  }

  get settings() {
    return { HOSTLER_SOURCES: JSON.stringify([{ name: 'inventory', type: 'file', path: this.path }]) };
  }
}

const RECORD = '{"os": "debian", "cpus": 8, "space": 4096, "hostname": "from-source"}';

const hostAt = (address: string) => `/api/v0/host/${address}`;
const enrol = (service: TestService, address: string, source = 'inventory') =>
  service.put(hostAt(address), { ssh_priv_key: PRIVATE_KEY, source });
const sourceOf = async (service: TestService, address: string) =>
  (await service.get<Status>(`${hostAt(address)}/status`)).body.host.source;
const waitForRefresh = (service: TestService, address: string) =>
  waitUntil(`the source of ${address} is read`, async () => (await sourceOf(service, address))?.refreshed_at);

const inventory = new Inventory('main');
inventory.write(`{"127.0.0.1": ${RECORD}, "::1": {"cpus": 1}}`);

describeServer(
  'a host with a source',
  service => {
    test('can be enrolled only with a configured source', async () => {
      const response = await enrol(service(), '127.0.0.1');
      expect(response).toMatchObject({ status: 201, body: { source: 'inventory', os: '' } });
      expect((await enrol(service(), '127.0.0.1')).status).toBe(200);
      expect(await enrol(service(), '127.0.0.1', '')).toMatchObject({ status: 409 });
      expect(await enrol(service(), '127.0.0.5', 'ldap')).toMatchObject({
        status: 400,
        body: { errors: [{ path: '/source' }] },
      });
    });

    test('shows the facts of the source and its own facts for the rest', async () => {
      await waitForRefresh(service(), '127.0.0.1');
      await service().store.transaction(async records => {
        const host = await records.hosts.lock('127.0.0.1' as Address);
        const own = { os: 'fedora', cpus: 2, memoryKib: 7, spaceKib: 9, hostname: 'own' };
        if (host) await records.hosts.update({ ...host, ...own });
      });
      const expected = { address: '127.0.0.1', os: 'debian', cpus: 8, memory: 7, space: 4096 };
      expect((await service().get(hostAt('127.0.0.1'))).body).toMatchObject({
        ...expected,
        source: 'inventory',
      });
      expect((await service().get('/api/v0/hosts')).body).toEqual([expect.objectContaining(expected)]);
      expect((await service().put(`${hostAt('127.0.0.1')}/bootstrap`, {})).body).toMatchObject(expected);
    });

    test('is found by the facts of the source', async () => {
      const count = async (query: string) => (await service().get<unknown[]>(`/api/v0/hosts?${query}`)).body.length;
      expect([await count('os=debian'), await count('os=fedora')]).toEqual([1, 0]);
      expect([await count('hostname=from-source'), await count('hostname=own')]).toEqual([1, 0]);
    });

    test('shows in its status when the source was read and whether it contains the host', async () => {
      const { body } = await service().get<Status>(`${hostAt('127.0.0.1')}/status`);
      expect(body.host).toMatchObject({
        hostname: 'from-source',
        source: { name: 'inventory', known: true, age_s: expect.any(Number) },
      });
      expect(body.host.source).not.toHaveProperty('problem');
      await enrol(service(), '127.0.0.9');
      await waitForRefresh(service(), '127.0.0.9');
      expect(await sourceOf(service(), '127.0.0.9')).toMatchObject({ known: false });
      expect((await service().get(hostAt('127.0.0.9'))).body).toMatchObject({ os: '', cpus: 0 });
    });

    test('keeps the last facts of a source that is no longer configured, with a problem', async () => {
      const address = '127.0.0.4' as Address;
      await service().store.transaction(async records => {
        const host = newHost(address, { enrolment: 'e', source: 'former' });
        await records.hosts.insertOrLock({ ...host, sourceFacts: { cpus: 3 } });
      });
      expect(await sourceOf(service(), address)).toEqual({
        name: 'former',
        known: true,
        problem: 'the host source former is not configured on this server',
      });
      expect((await service().get(hostAt(address))).body).toMatchObject({ cpus: 3 });
    });

    test('a host without a source has no source in its status', async () => {
      await enrol(service(), '127.0.0.3', '');
      expect(await sourceOf(service(), '127.0.0.3')).toBeUndefined();
    });
  },
  inventory.settings,
);

describe('an unreadable host source', () => {
  const inventoryFile = new Inventory('failing');

  test('keeps the previous facts, reports the problem and recovers', async () => {
    inventoryFile.write(`{"127.0.0.1": ${RECORD}}`);
    const service = await startTestService('sqlite', inventoryFile.settings);
    try {
      await enrol(service, '127.0.0.1');
      await waitForRefresh(service, '127.0.0.1');
      inventoryFile.write('{"127.0.0.1": {"os": "hunter2');
      // The server reads the source immediately for a new host.
      await enrol(service, '127.0.0.2');
      const problem = await waitUntil(
        'the source reports a problem',
        async () => (await sourceOf(service, '127.0.0.1'))?.problem,
      );
      expect(problem).toContain(`${inventoryFile.path} is not valid YAML at line 1`);
      expect(problem).not.toContain('hunter2');
      expect((await service.get(hostAt('127.0.0.1'))).body).toMatchObject({ os: 'debian', cpus: 8 });
      expect(await sourceOf(service, '127.0.0.2')).toEqual({ name: 'inventory', known: false, problem });
      inventoryFile.write(`{"127.0.0.1": ${RECORD.replace('8', '16')}}`);
      await waitUntil(
        'the source is read again',
        async () => (await sourceOf(service, '127.0.0.1'))?.problem === undefined,
      );
      expect((await service.get(hostAt('127.0.0.1'))).body).toMatchObject({ cpus: 16 });
    } finally {
      await service.stop();
    }
  });
});
