import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import type { Host, HostAccess } from '../../src/domain/hosts/host.ts';
import { newHost } from '../../src/domain/hosts/host.ts';
import type { Sealed } from '../../src/domain/secret.ts';
import { PRIVATE_KEY } from '../harness/keys.ts';
import { discoveryProblems } from '../harness/monitoring/prometheus-rules.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

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

onEachStore('inventories', service => {
  const ansible = async (query = '') =>
    (await service().get<Inventory>(`/api/v0/inventory/ansible${query}`)).body;
  const groups = async (query = '') => {
    const { _meta, ...rest } = await ansible(query);
    return Object.fromEntries(Object.entries(rest).map(([name, group]) => [name, group.hosts]));
  };
  const prometheus = (query = '') => service().get<Target[]>(`/api/v0/inventory/prometheus${query}`);
  const targets = async (query = '') => (await prometheus(query)).body.flatMap(group => group.targets);
  const label = (address: string, labels: object) => service().put(`/api/v0/host/${address}/labels`, labels);

  test('of no hosts are empty, and in order', async () => {
    expect(await ansible()).toEqual({ _meta: { hostvars: {} } });
    const answer = await prometheus();
    expect([answer.body, discoveryProblems(answer)]).toEqual([[], []]);
  });

  /** What only the engine could find out. */
  const learn = (address: string, facts: Partial<Host>) =>
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
    await learn(A, { os: 'debian', hostname: 'web-1.example.com' });
    await learn(B, { os: 'flatcar' });
    await label(A, LABELS);
    await label(V6, { zone: 'a1' });
  };

  test('for Ansible have groups by status, system, cluster and label, and hosts by address', async () => {
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

  test('for Ansible have what is known of each host, and no secret', async () => {
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

  test('for Ansible have the variables of one host alone', async () => {
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
    ['status=good', '400 invalid_query'],
    ['os=dos', '400 invalid_query'],
    ['os=dos&host=127.0.0.1', '400 invalid_query'],
    ['label=a=b=c', '400 invalid_query'],
  ])('for Ansible with %s are refused: %s', async (query, refusal) => {
    expect(await service().refusal(service().get(`/api/v0/inventory/ansible?${query}`))).toBe(refusal);
  });

  test('for Prometheus keep to its rules', async () => {
    const answer = await prometheus();
    expect(discoveryProblems(answer)).toEqual([]);
    expect(answer.body[0]).toEqual({
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

  test.each(['port=0', 'port=65536', 'port=x', 'port=', 'os=dos', 'status=good'])(
    'for Prometheus with %s are refused',
    async query => {
      const answer = service().get(`/api/v0/inventory/prometheus?${query}`);
      expect(await service().refusal(answer)).toBe('400 invalid_query');
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
  ])('filtered by %s hold the right hosts', async (query, expected) => {
    expect(Object.keys((await ansible(`?${query}`))._meta.hostvars)).toEqual(expected);
    const addresses = (await prometheus(`?${query}`)).body.map(
      group => group.labels['__meta_hostler_address'],
    );
    expect(addresses).toEqual(expected);
  });

  test('have names of their own for what would be called the same, whichever hosts are asked for', async () => {
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
    const answer = await prometheus('?status=failed');
    expect(discoveryProblems(answer)).toEqual([]);
    expect(answer.body[0]?.labels).toMatchObject({
      __meta_hostler_label_a: 'b.c',
      [`__meta_hostler_label_a_b_${hash('a-b')}`]: 'd',
      __meta_hostler_label_role: 'x.y',
    });
  });
});

/** More than are read, and written, at a time. */
const MANY = 700;
const many = Array.from({ length: MANY }, (_, index) => `127.1.${index >> 8}.${index & 255}` as Address);

const ACCESS: HostAccess = {
  remoteUser: 'root',
  sshPort: 22,
  sshPrivKey: 'sealed' as Sealed,
  hostKeys: [],
  transport: '',
  pendingHostKey: null,
  enrolledByToken: null,
};

onEachStore('long inventories', service => {
  beforeAll(async () => {
    await service().store.transaction(async records => {
      for (const [index, address] of many.entries()) {
        await records.hosts.insertOrLock(newHost(address, { enrolment: 'e' }));
        await records.hostAccess.insert(address, ACCESS);
        await records.hostLabels.replace(address, { serial: `n${index}`, [`k${index % 260}`]: '' });
      }
    });
  });

  test('are whole, and have each label', async () => {
    const { body } = await service().get<Inventory>('/api/v0/inventory/ansible');
    expect(Object.keys(body._meta.hostvars)).toEqual(many);
    expect(body['status_investigating']?.hosts).toEqual(many);
    expect(many.map((_, index) => body[`label_serial_n${index}`]?.hosts)).toEqual(many.map(one => [one]));
    expect(body['label_k99']?.hosts).toEqual([many[99], many[359], many[619]]);
    const { body: listed } = await service().get<Target[]>('/api/v0/inventory/prometheus');
    expect(listed.map(group => group.labels['__meta_hostler_label_serial'])).toEqual(
      many.map((_, index) => `n${index}`),
    );
  });

  test('are of one moment, whatever changes while they are read', async () => {
    let isDone = false;
    const changing = (async () => {
      for (let round = 0; !isDone && round < 100; round += 1) {
        const status = round % 2 === 0 ? 'failed' : 'active';
        await service().store.transaction(records => records.hosts.setStatus(many, status));
      }
    })();
    const mixtures: string[][] = [];
    for (let count = 0; count < 5; count += 1) {
      const { body } = await service().get<Inventory>('/api/v0/inventory/ansible');
      mixtures.push(Object.keys(body).filter(name => name.startsWith('status_')));
    }
    isDone = true;
    await changing;
    expect(mixtures.filter(statuses => statuses.length !== 1)).toEqual([]);
  });
});
