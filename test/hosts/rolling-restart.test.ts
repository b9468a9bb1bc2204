// A rolling restart of real hosts, by the program itself, which is killed again and again on the way: each host reboots once, no more
// of them are down at once than the policy allows, and all are proved to be back.

import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import type { HostPhase } from '../../src/domain/vocabulary.ts';
import type { Client } from '../../src/sdk/client.ts';
import { createClient } from '../../src/sdk/client.ts';
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/hosts/light-host.ts';
import { loginKey } from '../harness/hosts/login-key.ts';
import { startLightHosts } from '../harness/hosts/start-light-host.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runHostler } from '../harness/programs/process.ts';
import { until } from '../harness/until.ts';
import { CLUSTER, FollowedOperation, phasesOf } from './followed-operation.ts';
import { FIRST_BUILD_MS } from './host-status.ts';

const PASSWORD = 'correct horse';
const HOSTS = 5;
const MAX_UNAVAILABLE = 2;
/** Long enough to see that its sshd is gone. */
const REBOOT_TAKES_MS = 500;
/** The server is killed when it has brought a host so far. */
const KILLED_IN: readonly HostPhase[] = ['armed', 'rebooting', 'verifying'];
const TEST_MS = 120_000;

const isRefused = ({ address, port }: LightHost): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: address, port });
    socket.once('connect', () => resolve(false));
    socket.once('error', () => resolve(true));
    socket.once('close', () => socket.destroy());
  });

/** Looks whenever a host goes down: whether its sshd is gone, and how many that went down are not proved to be back. */
class PowerWatch {
  readonly #hosts: readonly LightHost[];
  readonly #isDone: (host: LightHost) => Promise<boolean>;
  readonly #wentDown = new Set<LightHost>();
  readonly #looks: Promise<{ isGone: boolean; notBack: number }>[] = [];

  constructor(hosts: readonly LightHost[], isDone: (host: LightHost) => Promise<boolean>) {
    this.#hosts = hosts;
    this.#isDone = isDone;
    for (const host of hosts)
      host.power.onSwitched = isOn => {
        if (!isOn) this.#looks.push(this.#look(host));
      };
  }

  async #look(host: LightHost) {
    this.#wentDown.add(host);
    const isGone = await isRefused(host);
    const areDone = await Promise.all([...this.#wentDown].map(this.#isDone));
    return { isGone, notBack: areDone.filter(isDone => !isDone).length };
  }

  /** What was seen; it is over then. */
  end() {
    for (const host of this.#hosts) host.power.onSwitched = () => {};
    return Promise.all(this.#looks);
  }
}

describeOnRealHosts('a rolling restart whose server is killed on the way', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-rolling-'));
  let hosts: LightHost[] = [];
  let program: RunningProgram;
  let store: Store;
  let client: Client;

  const serve = () =>
    runHostler(['serve'], {
      HOSTLER_DATA: folder,
      HOSTLER_LISTEN: '127.0.0.1:0',
      HOSTLER_ADMIN_PASSWORD: PASSWORD,
      HOSTLER_TRANSPORT: 'ssh',
      HOSTLER_SSH_CONNECT_TIMEOUT_S: '2',
      HOSTLER_CHECK_INTERVAL_S: '5',
    });

  beforeAll(async () => {
    hosts = await startLightHosts(HOSTS, { identity: 'debian' });
    program = serve();
    client = createClient({ baseUrl: await program.url(), user: 'admin', password: PASSWORD });
    await client.putCluster({ name: CLUSTER, body: { network: 'default' } });
    const { privateKeyBase64 } = await loginKey();
    for (const { address, port } of hosts)
      await client.putHost({
        address,
        body: { ssh_priv_key: privateKeyBase64, ssh_port: port, cluster: CLUSTER },
      });
    store = await openSqlite(folder, { attach: true });
    for (const { name, address } of hosts)
      await until(`${name} is active`, async () => {
        const found = await store.reads.hosts.get(address as Address);
        return found?.status === 'active';
      });
  }, FIRST_BUILD_MS);

  afterAll(async () => {
    await store?.close();
    await program?.kill('SIGKILL');
    await Promise.all(hosts.map(host => host.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  test('reboots each host once, few at a time, and finishes', { timeout: TEST_MS }, async () => {
    const before = await Promise.all(hosts.map(host => host.bootId()));
    for (const { power } of hosts) power.rebootTakesMs = REBOOT_TAKES_MS;
    const operation = await FollowedOperation.start(
      { client, store },
      {
        kind: 'restart',
        policy: { max_unavailable: MAX_UNAVAILABLE, min_healthy_s: 1 },
      },
    );
    const watch = new PowerWatch(hosts, async host => (await operation.host(host)).phase === 'done');
    onTestFinished(async () => {
      await watch.end();
    });
    for (const phase of KILLED_IN) {
      await operation.untilIn(phase, 30_000);
      await program.kill('SIGKILL');
      program = serve();
    }
    expect(await operation.end(60_000)).toBe('finished');

    expect(hosts.map(({ power }) => power.boots)).toEqual(hosts.map(() => 2));
    const seen = await watch.end();
    expect(seen.map(({ isGone }) => isGone)).toEqual(hosts.map(() => true));
    expect(Math.max(...seen.map(({ notBack }) => notBack))).toBe(MAX_UNAVAILABLE);
    for (const [index, host] of hosts.entries()) {
      expect(await host.bootId()).not.toBe(before[index]);
      const planned = await operation.host(host);
      expect(phasesOf(planned)).toEqual(['preflight', 'staging', 'armed', 'rebooting', 'verifying', 'done']);
      expect(planned).toMatchObject({ attempt: 1, problem: '', wasNoop: false });
    }
  });
});
