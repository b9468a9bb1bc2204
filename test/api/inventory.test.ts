import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import type { Host, HostAccess } from '../../src/domain/hosts/host.ts';
import { newHost } from '../../src/domain/hosts/host.ts';
import type { Sealed } from '../../src/domain/secret.ts';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import { checkServiceDiscovery } from '../harness/monitoring/prometheus-checks.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { LoadLoop } from '../harness/workload/load-loop.ts';

interface Vars {
  readonly ansible_host: string;
  readonly [name: string]: unknown;
}
interface Group {
  readonly hosts: readonly string[];
}
type Inventory = { readonly _meta: { readonly hostvars: Record<string, Vars> } } & Record<string, Group>;
interface Target {
  readonly targets: readonly string[];
  readonly labels: Record<string, string>;
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

const [A, B, C, V6] = ['127.0.1.9', '127.0.1.10', '127.0.2.1', '2001:db8::1'];
const LABELS = { zone: 'a1', 'example.com/role': 'db', spare: '' };

describeServer('GET /inventory', service => {
  const ansible = async (query = '') => (await service().get<Inventory>(`/api/v0/inventory/ansible${query}`)).body;
  const groups = async (query = '') => {
    const { _meta, ...rest } = await ansible(query);
    return Object.fromEntries(Object.entries(rest).map(([name, group]) => [name, group.hosts]));
  };
  const prometheus = (query = '') => service().get<Target[]>(`/api/v0/inventory/prometheus${query}`);
  const targets = async (query = '') => (await prometheus(query)).body.flatMap(group => group.targets);
  const label = (address: string, labels: object) => service().put(`/api/v0/host/${address}/labels`, labels);

  test('returns empty and valid inventories without hosts', async () => {
    expect(await ansible()).toEqual({ _meta: { hostvars: {} } });
    const response = await prometheus();
    expect([response.body, checkServiceDiscovery(response)]).toEqual([[], []]);
  });

  /** Sets facts that normally come from the engine. */
  const setFacts = (address: string, facts: Partial<Host>) =>
    service().store.transaction(async records => {
      const host = await records.hosts.lock(address as Address);
      if (host) await records.hosts.update({ ...host, ...facts });
    });

  const makeHosts = async () => {
    await service().put('/api/v0/cluster/web-1', { network: 'default' });
    await service().put('/api/v0/cluster/empty', { network: 'default' });
    await service().makeHosts('active', 'web-1', A, B);
    await service().makeHosts('failed', undefined, C);
    const access = { remote_user: 'core', ssh_port: 2222 };
    await service().put(`/api/v0/host/${V6}`, { ssh_priv_key: PRIVATE_KEY, ...access });
    await setFacts(A, { os: 'debian', hostname: 'web-1.example.com' });
    await setFacts(B, { os: 'flatcar' });
    await label(A, LABELS);
    await label(V6, { zone: 'a1' });
  };

  test('Ansible: hosts are grouped by status, operating system, cluster and label', async () => {
    await makeHosts();
    expect(await groups()).toEqual({
      status_active: [A, B],
      status_failed: [C],
      status_investigating: [V6],
      os_debian: [A],
      os_flatcar: [B],
      cluster_web_1: [A, B],
      label_zone_a1: [A, V6],
      label_example_com_role_db: [A],
      label_spare: [A],
    });
  });

  test('Ansible: the inventory has the variables of each host without secrets', async () => {
    const { body, text } = await service().get<Inventory>('/api/v0/inventory/ansible');
    const { hostvars } = body._meta;
    expect(Object.keys(hostvars)).toEqual([A, B, C, V6]);
    expect(hostvars[A]).toEqual({
      ansible_host: A,
      ansible_port: 22,
      ansible_user: 'root',
      hostler_status: 'active',
      hostler_os: 'debian',
      hostler_cluster: 'web-1',
      hostler_labels: LABELS,
      hostler_hostname: 'web-1.example.com',
    });
    expect(hostvars[V6]).toEqual({
      ansible_host: V6,
      ansible_port: 2222,
      ansible_user: 'core',
      hostler_status: 'investigating',
      hostler_os: '',
      hostler_cluster: '',
      hostler_labels: { zone: 'a1' },
    });
    expect(text).not.toContain(PRIVATE_KEY);
  });

  test('Ansible: the query for a single host returns its variables', async () => {
    const { hostvars } = (await ansible())._meta;
    for (const address of [A, V6]) expect(await ansible(`?host=${address}`)).toEqual(hostvars[address]);
    expect(await ansible('?host=2001:DB8:0::1&label=zone')).toEqual(hostvars[V6]);
  });

  test.each([
    ['host=127.9.9.9', '404 not_found'],
    [`host=${A}&status=failed`, '404 not_found'],
    [`host=${A}&cluster=not%20a%20name`, '404 not_found'],
    ['host=web-1', '400 invalid_query'],
    ['host=', '400 invalid_query'],
    ['status=unknown', '400 invalid_query'],
    ['os=dos', '400 invalid_query'],
    ['os=dos&host=127.0.0.1', '400 invalid_query'],
    ['label=a=b=c', '400 invalid_query'],
  ])('Ansible: the query %s returns %s', async (query, expected) => {
    expect(await service().errorCode(service().get(`/api/v0/inventory/ansible?${query}`))).toBe(expected);
  });

  test('Prometheus: the inventory follows the rules of HTTP service discovery', async () => {
    const response = await prometheus();
    expect(checkServiceDiscovery(response)).toEqual([]);
    expect(response.body[0]).toEqual({
      targets: [`${A}:9100`],
      labels: {
        __meta_hostler_address: A,
        __meta_hostler_status: 'active',
        __meta_hostler_os: 'debian',
        __meta_hostler_cluster: 'web-1',
        __meta_hostler_hostname: 'web-1.example.com',
        __meta_hostler_label_zone: 'a1',
        __meta_hostler_label_example_com_role: 'db',
        __meta_hostler_label_spare: '',
      },
    });
    expect(await targets('?port=9256')).toEqual([`${A}:9256`, `${B}:9256`, `${C}:9256`, `[${V6}]:9256`]);
  });

  test.each(['port=0', 'port=65536', 'port=x', 'port=', 'os=dos', 'status=unknown'])(
    'Prometheus: the query %s is rejected',
    async query => {
      const response = service().get(`/api/v0/inventory/prometheus?${query}`);
      expect(await service().errorCode(response)).toBe('400 invalid_query');
    },
  );

  test.each([
    ['cluster=web-1', [A, B]],
    ['cluster=', [C, V6]],
    ['cluster=empty', []],
    ['cluster=not%20a%20name', []],
    ['status=failed', [C]],
    ['os=debian', [A]],
    ['os=&cluster=', [C, V6]],
    ['label=zone', [A, V6]],
    ['label=zone=a1&label=spare', [A]],
    ['label=zone=b2', []],
  ])('returns the hosts for %s', async (query, expected) => {
    expect(Object.keys((await ansible(`?${query}`))._meta.hostvars)).toEqual(expected);
    const addresses = (await prometheus(`?${query}`)).body.map(group => group.labels['__meta_hostler_address']);
    expect(addresses).toEqual(expected);
  });

  test('group names stay unique and independent of the filter', async () => {
    await service().put('/api/v0/cluster/web_1', { network: 'default' });
    await label(B, { 'a.b': 'c', role: 'x-y' });
    await label(C, { a: 'b.c', 'a-b': 'd', role: 'x.y' });
    const expected = {
      [`cluster_web_1_${hash('web-1')}`]: [B],
      status_active: [B],
      os_flatcar: [B],
      [`label_a_b_c_${hash('a.b=c')}`]: [B],
      [`label_role_x_y_${hash('role=x-y')}`]: [B],
    };
    expect(await groups('?os=flatcar')).toEqual(expected);
    const all = await groups();
    expect(all).toMatchObject({
      ...expected,
      [`cluster_web_1_${hash('web-1')}`]: [A, B],
      status_active: [A, B],
    });
    expect(all[`label_a_b_c_${hash('a=b.c')}`]).toEqual([C]);
    expect(all).toMatchObject({ label_a_b_d: [C] });
    const response = await prometheus('?status=failed');
    expect(checkServiceDiscovery(response)).toEqual([]);
    expect(response.body[0]?.labels).toMatchObject({
      __meta_hostler_label_a: 'b.c',
      [`__meta_hostler_label_a_b_${hash('a-b')}`]: 'd',
      __meta_hostler_label_role: 'x.y',
    });
  });
});

/** More hosts than the server reads and writes at once. */
const HOST_COUNT = 700;
const addresses = Array.from({ length: HOST_COUNT }, (_, index) => `127.1.${index >> 8}.${index & 255}` as Address);

const ACCESS: HostAccess = {
  remoteUser: 'root',
  sshPort: 22,
  sshPrivKey: 'sealed' as Sealed,
  hostKeys: [],
  transport: '',
  pendingHostKey: null,
  enrolledByToken: null,
};

describeServer('inventories of many hosts', service => {
  beforeAll(async () => {
    await service().store.transaction(async records => {
      for (const [index, address] of addresses.entries()) {
        await records.hosts.insertOrLock(newHost(address, { enrolment: 'e' }));
        await records.hostAccess.insert(address, ACCESS);
        await records.hostLabels.replace(address, { serial: `n${index}`, [`k${index % 260}`]: '' });
      }
    });
  });

  test('contain every host and label', async () => {
    const { body } = await service().get<Inventory>('/api/v0/inventory/ansible');
    expect(Object.keys(body._meta.hostvars)).toEqual(addresses);
    expect(body['status_investigating']?.hosts).toEqual(addresses);
    expect(addresses.map((_, index) => body[`label_serial_n${index}`]?.hosts)).toEqual(
      addresses.map(address => [address]),
    );
    expect(body['label_k99']?.hosts).toEqual([addresses[99], addresses[359], addresses[619]]);
    const { body: targetGroups } = await service().get<Target[]>('/api/v0/inventory/prometheus');
    expect(targetGroups.map(group => group.labels['__meta_hostler_label_serial'])).toEqual(
      addresses.map((_, index) => `n${index}`),
    );
  });

  test('are consistent snapshots during concurrent changes', async () => {
    const changes = new LoadLoop('host statuses', 0, async round => {
      const status = round % 2 === 0 ? 'failed' : 'active';
      await service().store.transaction(records => records.hosts.setStatus(addresses, status));
      return [];
    });
    const statusGroups: string[][] = [];
    await changes.runDuring(async () => {
      for (let count = 0; count < 5; count += 1) {
        const { body } = await service().get<Inventory>('/api/v0/inventory/ansible');
        statusGroups.push(Object.keys(body).filter(name => name.startsWith('status_')));
      }
    });
    expect(changes.errors).toEqual([]);
    expect(changes.completed).toBeGreaterThan(1);
    expect(statusGroups.filter(statuses => statuses.length !== 1)).toEqual([]);
  });
});
