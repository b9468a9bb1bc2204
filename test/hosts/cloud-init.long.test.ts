// Hosts that enrol at their first boot with Debian's cloud-init and the user data of the server.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProcesses } from '../harness/programs/proc-files.ts';
import { describeOnSystemdHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { BOOT_SCRIPT, CloudHost } from './cloud-host.ts';
import { hostStatus } from './host-status.ts';
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

const CHANNEL = 'http.server.request.start';

interface RecordedRequest {
  readonly from: string;
  readonly requestLine: string;
  /**
   * Command lines and environments of all processes of this machine and its test hosts while the client waits
   * for the response.
   */
  readonly processes: string;
}

/** Records requests to a server in this process by method and path. */
function captureRequests(filter: string): {
  readonly recorded: readonly RecordedRequest[];
  stop(): void;
} {
  const recorded: RecordedRequest[] = [];
  const record = (message: unknown) => {
    const request = message instanceof Object && 'request' in message ? message.request : undefined;
    if (!(request instanceof IncomingMessage)) return;
    const requestLine = `${request.method} ${request.url}`;
    if (requestLine !== filter) return;
    const all = findProcesses('').map(found => `${found.commandLine}\n${found.environment}`);
    recorded.push({ from: request.socket.remoteAddress ?? '', requestLine, processes: all.join('\n') });
  };
  subscribe(CHANNEL, record);
  return { recorded, stop: () => unsubscribe(CHANNEL, record) };
}

describeOnSystemdHosts('a host with cloud-init and the user data of the server', () => {
  const requests = captureRequests('PUT /api/v0/host');
  const booted: CloudHost[] = [];
  let bridge: ServiceOnBridge;
  let shared: UserData;
  let first: CloudHost;

  async function makeUserData(body: object = {}): Promise<UserData> {
    const response = await bridge.service.put('/api/v0/cluster/web/user-data', { url: bridge.url, ...body });
    expect(response.status).toBe(201);
    const secret = /\nhostler_password='([^']+)'\n/.exec(response.text)?.[1] ?? '';
    return { text: response.text, token: response.headers.get('hostler-token-name') ?? '', secret };
  }

  async function boot(name: string, { text }: UserData, hidden: readonly string[] = []) {
    const started = await CloudHost.boot(name, text, hidden);
    booted.push(started);
    return started;
  }

  beforeAll(async () => {
    bridge = await serveOnBridge(SETTINGS);
    await bridge.service.put('/api/v0/cluster/web', { network: 'default' });
    await bridge.service.makeAccount(LEGACY.account, 'enrol', LEGACY.password);
    shared = await makeUserData();
    first = await boot('web-1', shared);
  }, IMAGE_BUILD_MS);

  afterAll(async () => {
    requests.stop();
    await bridge?.end();
    await Promise.all(booted.map(({ host }) => host.stop()));
  });

  const requestsOf = ({ host }: CloudHost) => requests.recorded.filter(({ from }) => from === host.address);
  const get = async (path: string) => (await bridge.service.get<Record<string, unknown>>(path)).body;
  const members = () => get('/api/v0/cluster/web/hosts');
  const uses = async ({ token }: UserData) => (await get(`/api/v0/token/${token}`))['used'];

  const untilActive = ({ host }: CloudHost) =>
    waitUntil(
      `${host.name} is active since its last boot`,
      async () => {
        const bootId = await host.bootId();
        const now = await hostStatus(bridge.service, host.address);
        return now?.status === 'active' && now.boot_id === bootId;
      },
      DEADLINE_MS,
    );

  async function expectNoLeak(cloudHost: CloudHost, { secret }: UserData): Promise<void> {
    expect(requestsOf(cloudHost).map(({ processes }) => processes.includes(secret))).toEqual([false]);
    expect(await cloudHost.findLeaks(secret)).toBe('');
  }

  test('enrols with its own host keys and becomes active with the key of the service', {
    timeout: TEST_MS,
  }, async () => {
    await untilActive(first);
    await first.untilDone();
    const { address } = first.host;
    const [remote_user, host_keys] = ['root', await first.hostKeys()];
    expect(await get(`/api/v0/host/${address}/access`)).toEqual({ remote_user, ssh_port: 22, host_keys });
    expect(await get(`/api/v0/host/${address}/creds`)).toEqual({ remote_user, ssh_priv_key: '' });
    expect(await members()).toEqual([address]);
    expect([await uses(shared), await first.storedFiles()]).toEqual([1, ENROLLED]);
    expect(await first.enrolmentLog()).toBe(`enrolled with ${bridge.url}\n`);
    await expectNoLeak(first, shared);
  });

  test('sends no request when it boots again', { timeout: TEST_MS }, async () => {
    const audit = () => get('/api/v0/audit?actor=token');
    const before = await audit();
    expect(before).toHaveLength(2);
    await first.host.reboot();
    await first.untilDone();
    await untilActive(first);
    expect(await audit()).toEqual(before);
    expect([await uses(shared), requestsOf(first).length, await first.enrolmentLog()]).toEqual([1, 1, '']);
    expect(await first.storedFiles()).toEqual(ENROLLED);
  });

  test('logs the rejection of a used token, boots normally and retries until the script is removed', {
    timeout: TEST_MS,
  }, async () => {
    const second = await boot('web-2', shared);
    const { host } = second;
    const isRejected = async () => (await second.enrolmentLog()).includes('failed with status 403: ');
    await waitUntil('the rejection is logged', isRejected, DEADLINE_MS);
    const log = await host.read('/var/log/cloud-init-output.log');
    expect(log).toMatch(/^hostler: enrolment at http:\S+ failed with status 403: the token \S+ has no uses left/m);
    expect((await bridge.service.get(`/api/v0/host/${host.address}`)).status).toBe(404);
    expect([await members(), await uses(shared)]).toEqual([[first.host.address], 1]);
    await expectNoLeak(second, shared);
    await second.untilDone();
    expect(await host.state()).toBe('running');

    await host.runChecked(['rm', BOOT_SCRIPT]);
    await host.reboot();
    await second.untilDone();
    expect([await host.state(), requestsOf(second).length]).toEqual(['running', 1]);
  });

  test('waits for an unavailable service across a reboot and enrols without curl as another user', {
    timeout: TEST_MS,
  }, async () => {
    const data = await makeUserData({ remote_user: 'debian' });
    await bridge.stop();
    const early = await boot('web-3', data, ['usr/bin/curl']);
    const isWaiting = async () => (await early.enrolmentLog()).includes(`no response from ${bridge.url}: `);
    await waitUntil('the script waits', isWaiting, DEADLINE_MS);
    await early.host.reboot();
    await waitUntil('the script waits again', isWaiting, DEADLINE_MS);
    expect(await early.host.runChecked(['stat', '-c', '%a', BOOT_SCRIPT])).toBe('700\n');
    await bridge.restart();
    await untilActive(early);
    await early.untilDone();
    const expected = { remote_user: 'debian', ssh_port: 22, host_keys: await early.hostKeys() };
    expect(await get(`/api/v0/host/${early.host.address}/access`)).toEqual(expected);
    expect([await uses(data), await early.storedFiles()]).toEqual([1, ENROLLED]);
    await expectNoLeak(early, data);
  });

  test('becomes active with its own key in legacy mode', { timeout: TEST_MS }, async () => {
    const data = await makeUserData({ legacy: LEGACY });
    const old = await boot('web-4', data);
    await untilActive(old);
    await old.untilDone();
    const { ssh_priv_key } = await get(`/api/v0/host/${old.host.address}/creds`);
    expect(Buffer.from(String(ssh_priv_key), 'base64').toString()).toMatch(/OPENSSH PRIVATE KEY/);
    expect(await old.storedFiles()).toEqual(ENROLLED);
    await expectNoLeak(old, data);
  });
});
