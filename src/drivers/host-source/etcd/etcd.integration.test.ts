import { beforeAll, expect, test } from 'vitest';
import { optionsConform } from '../../../../test/conformance/driver-options.ts';
import type { FixtureRecord, SourceFixture } from '../../../../test/conformance/host-source.ts';
import { hostSourceConforms } from '../../../../test/conformance/host-source.ts';
import type { Etcd } from '../../../../test/harness/etcd/etcd.ts';
import { startEtcd } from '../../../../test/harness/etcd/start-etcd.ts';
import { describeOnEtcd } from '../../../../test/harness/vitest/conditional-suites.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { EtcdClient } from '../../../integrations/etcd/etcd-client.ts';
import { ConnectionPool } from '../../../integrations/http/connection-pool.ts';
import { etcd } from './etcd.ts';

const ENDPOINTS = ['http://10.0.0.1:2379', 'https://etcd-2:2379'];

optionsConform(etcd, {
  good: [
    ['etcd members', { endpoints: ENDPOINTS }],
    ['a prefix', { endpoints: ENDPOINTS, prefix: '/inventory/hosts' }],
    ['TLS files', { endpoints: ENDPOINTS, ca_path: '/ca', certificate_path: '/c', certificate_key_path: '/k' }],
  ],
  bad: [
    ['no member', {}, ['/endpoints']],
    ['an empty list of members', { endpoints: [] }, ['/endpoints']],
    ['a member that is not a URL', { endpoints: ['http://a', 'b'] }, ['/endpoints/1']],
    ['an invalid prefix', { endpoints: ENDPOINTS, prefix: 'hosts' }, ['/prefix']],
    ['a certificate without its key', { endpoints: ENDPOINTS, certificate_path: '/c' }, ['/certificate_key_path']],
  ],
});

const HOST = '127.0.0.1' as Address;
const PREFIX = '/hostler/hosts';

describeOnEtcd('etcd host source with a real etcd', () => {
  let server: Etcd;
  const connections = new ConnectionPool();
  const filesOf = ({ tls }: Etcd) => ({
    ca_path: tls?.caPath,
    certificate_path: tls?.cert,
    certificate_key_path: tls?.key,
  });
  const open = (options: Readonly<Record<string, unknown>> = {}) =>
    etcd.open({ options: { endpoints: server.endpoints, ...filesOf(server), ...options }, connections });

  beforeAll(async () => {
    server = await startEtcd({ tls: true });
    return async () => {
      await connections.close();
      await server.stop();
    };
  });

  async function openFixture(): Promise<SourceFixture> {
    const {
      ca_path: caPath,
      certificate_path: certificatePath,
      certificate_key_path: certificateKeyPath,
    } = filesOf(server);
    const files = { caPath, certificatePath, certificateKeyPath };
    const client = new EtcdClient({ endpoints: server.endpoints, files, connections });
    return {
      source: open(),
      async setRecords(records: Readonly<Record<string, FixtureRecord>>) {
        for (const entry of await client.getPrefix(`${PREFIX}/`)) {
          if (!(entry.key.slice(PREFIX.length + 1) in records)) await client.deleteUnchanged(entry);
        }
        for (const [host, record] of Object.entries(records))
          await server.put(`${PREFIX}/${host}`, record === 'invalid' ? '{"os":5,' : JSON.stringify(record));
      },
      fail: () => server.kill(0),
      recover: () => server.restart(0),
      close: async () => {},
    };
  }

  hostSourceConforms('etcd', openFixture);

  test('ignores keys under the prefix that are not host records', async () => {
    await server.put(`${PREFIX}/127.0.0.1/more`, '{"cpus":64}');
    await server.put(`${PREFIX}-others/127.0.0.1`, '{"cpus":64}');
    await server.put(`${PREFIX}/0:0::1`, '{"cpus":3,"rack":"a1"}');
    await server.put(`${PREFIX}/127.0.0.1`, '{"cpus":"8","memory":1024}');
    const facts = await open().read([HOST, '::1' as Address]);
    expect(facts).toEqual(
      new Map([
        [HOST, { memoryKib: 1024 }],
        ['::1', { cpus: 3 }],
      ]),
    );
  });

  test('rejects a server certificate of an unknown CA', async () => {
    await expect(open({ ca_path: undefined }).read([HOST])).rejects.toThrow(/ca_path/);
  });

  test('reads records under another prefix', async () => {
    await server.put('/inventory/127.0.0.1', '{"cpus":5}');
    expect(await open({ prefix: '/inventory/' }).read([HOST])).toEqual(new Map([[HOST, { cpus: 5 }]]));
  });
});
