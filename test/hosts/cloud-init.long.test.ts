// Hosts that enrol themselves at their first boot, as Debian's own cloud-init has them do with the user data of the server.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnSystemdHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { watchRequests } from '../harness/http/watch-requests.ts';
import { until } from '../harness/until.ts';
import { CloudHost, COPY } from './cloud-host.ts';
import { FIRST_BUILD_MS, hostStatus } from './host-status.ts';
import type { ServiceOnBridge } from './service-on-bridge.ts';
import { serveOnBridge } from './service-on-bridge.ts';

const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '3',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const DEADLINE_MS = 90_000;
const TEST_MS = 3 * DEADLINE_MS;
const LEGACY = { account: 'enroller', password: 'pass word of all hosts' };
const ENROLLED = ['/var/lib/hostler-enrol/enrolled'];

interface UserData {
  readonly text: string;
  readonly token: string;
  readonly secret: string;
}

describeOnSystemdHosts('a host with cloud-init and the user data of the server', () => {
  const requests = watchRequests('PUT /api/v0/host');
  const booted: CloudHost[] = [];
  let lab: ServiceOnBridge;
  let shared: UserData;
  let first: CloudHost;

  async function makeUserData(body: object = {}): Promise<UserData> {
    const made = await lab.service.put('/api/v0/cluster/web/user-data', { url: lab.url, ...body });
    expect(made.status).toBe(201);
    const secret = /\nhostler_password='([^']+)'\n/.exec(made.text)?.[1] ?? '';
    return { text: made.text, token: made.headers.get('hostler-token-name') ?? '', secret };
  }

  async function boot(name: string, { text }: UserData, hidden: readonly string[] = []) {
    const started = await CloudHost.boot(name, text, hidden);
    booted.push(started);
    return started;
  }

  beforeAll(async () => {
    lab = await serveOnBridge(SETTINGS);
    await lab.service.put('/api/v0/cluster/web', { network: 'default' });
    await lab.service.makeAccount(LEGACY.account, 'enrol', LEGACY.password);
    shared = await makeUserData();
    first = await boot('web-1', shared);
  }, FIRST_BUILD_MS);

  afterAll(async () => {
    requests.stop();
    await lab?.end();
    await Promise.all(booted.map(({ host }) => host.stop()));
  });

  const requestsOf = ({ host }: CloudHost) => requests.seen.filter(({ from }) => from === host.address);
  const get = async (path: string) => (await lab.service.get<Record<string, unknown>>(path)).body;
  const members = () => get('/api/v0/cluster/web/hosts');
  const uses = async ({ token }: UserData) => (await get(`/api/v0/token/${token}`))['used'];

  const isActive = ({ host }: CloudHost) =>
    until(
      `${host.name} is active since its last boot`,
      async () => {
        const bootId = await host.bootId();
        const now = await hostStatus(lab.service, host.address);
        return now?.status === 'active' && now.boot_id === bootId;
      },
      DEADLINE_MS,
    );

  async function expectNoLeak(of: CloudHost, { secret }: UserData): Promise<void> {
    expect(requestsOf(of).map(({ processes }) => processes.includes(secret))).toEqual([false]);
    expect(await of.leaks(secret)).toBe('');
  }

  test('enrols itself with the host keys that it made, and becomes active by the key of the service', {
    timeout: TEST_MS,
  }, async () => {
    await isActive(first);
    await first.isDone();
    const { address } = first.host;
    const [remote_user, host_keys] = ['root', await first.hostKeys()];
    expect(await get(`/api/v0/host/${address}/access`)).toEqual({ remote_user, ssh_port: 22, host_keys });
    expect(await get(`/api/v0/host/${address}/creds`)).toEqual({ remote_user, ssh_priv_key: '' });
    expect(await members()).toEqual([address]);
    expect([await uses(shared), await first.kept()]).toEqual([1, ENROLLED]);
    expect(await first.said()).toBe(`enrolled with ${lab.url}\n`);
    await expectNoLeak(first, shared);
  });

  test('asks for nothing when it boots again', { timeout: TEST_MS }, async () => {
    const audit = () => get('/api/v0/audit?actor=token');
    const before = await audit();
    expect(before).toHaveLength(2);
    await first.host.reboot();
    await first.isDone();
    await isActive(first);
    expect(await audit()).toEqual(before);
    expect([await uses(shared), requestsOf(first).length, await first.said()]).toEqual([1, 1, '']);
    expect(await first.kept()).toEqual(ENROLLED);
  });

  test('is refused when the token is used up, says so, boots all the same, and asks until somebody has it give up', {
    timeout: TEST_MS,
  }, async () => {
    const second = await boot('web-2', shared);
    const { host } = second;
    const isRefused = async () => (await second.said()).includes('failed with status 403: ');
    await until('it has heard of it', isRefused, DEADLINE_MS);
    const log = await host.read('/var/log/cloud-init-output.log');
    expect(log).toMatch(
      /^hostler: enrolment at http:\S+ failed with status 403: the token \S+ has no uses left/m,
    );
    expect((await lab.service.get(`/api/v0/host/${host.address}`)).status).toBe(404);
    expect([await members(), await uses(shared)]).toEqual([[first.host.address], 1]);
    await expectNoLeak(second, shared);
    await second.isDone();
    expect(await host.state()).toBe('running');

    await host.must(['rm', COPY]);
    await host.reboot();
    await second.isDone();
    expect([await host.state(), requestsOf(second).length]).toEqual(['running', 1]);
  });

  test('waits for a service that is away, also over a reboot, and enrols itself without curl for another user', {
    timeout: TEST_MS,
  }, async () => {
    const data = await makeUserData({ remote_user: 'debian' });
    await lab.goAway();
    const early = await boot('web-3', data, ['usr/bin/curl']);
    const isWaiting = async () => (await early.said()).includes(`no response from ${lab.url}: `);
    await until('it waits', isWaiting, DEADLINE_MS);
    await early.host.reboot();
    await until('it waits again', isWaiting, DEADLINE_MS);
    expect(await early.host.must(['stat', '-c', '%a', COPY])).toBe('700\n');
    await lab.comeBack();
    await isActive(early);
    await early.isDone();
    const known = { remote_user: 'debian', ssh_port: 22, host_keys: await early.hostKeys() };
    expect(await get(`/api/v0/host/${early.host.address}/access`)).toEqual(known);
    expect([await uses(data), await early.kept()]).toEqual([1, ENROLLED]);
    await expectNoLeak(early, data);
  });

  test('becomes active by a key of its own in the old way', { timeout: TEST_MS }, async () => {
    const data = await makeUserData({ legacy: LEGACY });
    const old = await boot('web-4', data);
    await isActive(old);
    await old.isDone();
    const { ssh_priv_key } = await get(`/api/v0/host/${old.host.address}/creds`);
    expect(Buffer.from(String(ssh_priv_key), 'base64').toString()).toMatch(/OPENSSH PRIVATE KEY/);
    expect(await old.kept()).toEqual(ENROLLED);
    await expectNoLeak(old, data);
  });
});
