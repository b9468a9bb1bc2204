// A rolling restart of real hosts by a server process that is killed several times. Each host reboots once,
// at most `max_unavailable` hosts are down at once, and all hosts are verified.

import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { HostPhase } from '../../src/domain/vocabulary.ts';
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { ServerProcess, serverSettings } from '../harness/programs/server-process.ts';
import { describeOnRealHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHosts } from '../harness/real-hosts/light-host.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { FollowedOperation, phasesOf } from './followed-operation.ts';

const HOSTS = 5;
const MAX_UNAVAILABLE = 2;
/** Long enough to observe that sshd is down. */
const REBOOT_TAKES_MS = 500;
/** The server is killed when a host reaches each of these phases. */
const KILL_PHASES: readonly HostPhase[] = ['armed', 'rebooting', 'verifying'];

const isRefused = ({ address, port }: LightHost): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: address, port });
    socket.once('connect', () => resolve(false));
    socket.once('error', () => resolve(true));
    socket.once('close', () => socket.destroy());
  });

/**
 * When a host goes down, records whether its sshd is down and how many rebooted hosts are not verified yet.
 */
class PowerMonitor {
  readonly #hosts: readonly LightHost[];
  readonly #isDone: (host: LightHost) => Promise<boolean>;
  readonly #wentDown = new Set<LightHost>();
  readonly #samples: Promise<{ isSshdDown: boolean; unverified: number }>[] = [];

  constructor(hosts: readonly LightHost[], isDone: (host: LightHost) => Promise<boolean>) {
    this.#hosts = hosts;
    this.#isDone = isDone;
    for (const host of hosts)
      host.hostProcess.onStateChange = isOn => {
        if (!isOn) this.#samples.push(this.#sample(host));
      };
  }

  async #sample(host: LightHost) {
    this.#wentDown.add(host);
    const isSshdDown = await isRefused(host);
    const areDone = await Promise.all([...this.#wentDown].map(this.#isDone));
    return { isSshdDown, unverified: areDone.filter(isDone => !isDone).length };
  }

  /** Stops monitoring and returns the samples. */
  end() {
    for (const host of this.#hosts) host.hostProcess.onStateChange = () => {};
    return Promise.all(this.#samples);
  }
}

describeOnRealHosts('a rolling restart whose server is killed repeatedly', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-rolling-'));
  let hosts: LightHost[] = [];
  let server: ServerProcess;
  let store: Store;

  beforeAll(async () => {
    hosts = await startLightHosts(HOSTS, { identity: 'debian' });
    server = await ServerProcess.start({
      settings: serverSettings(
        { folder },
        {
          HOSTLER_TRANSPORT: 'ssh',
          HOSTLER_SSH_CONNECT_TIMEOUT_S: '2',
          HOSTLER_CHECK_INTERVAL_S: '5',
        },
      ),
    });
    await enrolInCluster(server.client, hosts);
    store = await openSqlite(folder, { attach: true });
  }, IMAGE_BUILD_MS);

  afterAll(async () => {
    await store?.close();
    await server?.stop();
    await Promise.all(hosts.map(host => host.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  test('reboots each host once within max_unavailable and finishes', async () => {
    const before = await Promise.all(hosts.map(host => host.bootId()));
    for (const { hostProcess } of hosts) hostProcess.rebootDurationMs = REBOOT_TAKES_MS;
    const operation = await FollowedOperation.start(
      { client: server.client, store },
      {
        kind: 'restart',
        policy: { max_unavailable: MAX_UNAVAILABLE, min_healthy_s: 1 },
      },
    );
    const monitor = new PowerMonitor(hosts, async host => (await operation.host(host)).phase === 'done');
    onTestFinished(async () => {
      await monitor.end();
    });
    for (const phase of KILL_PHASES) {
      await operation.untilPhase(phase, 30_000);
      await server.inject('kill_server');
      await server.revert('kill_server');
    }
    expect(await operation.waitForEnd(60_000)).toBe('finished');

    expect(hosts.map(({ hostProcess }) => hostProcess.boots)).toEqual(hosts.map(() => 2));
    const samples = await monitor.end();
    expect(samples.map(({ isSshdDown }) => isSshdDown)).toEqual(hosts.map(() => true));
    expect(Math.max(...samples.map(({ unverified }) => unverified))).toBe(MAX_UNAVAILABLE);
    for (const [index, host] of hosts.entries()) {
      expect(await host.bootId()).not.toBe(before[index]);
      const planned = await operation.host(host);
      expect(phasesOf(planned)).toEqual(['preflight', 'queued', 'armed', 'rebooting', 'verifying', 'done']);
      expect(planned).toMatchObject({ attempt: 1, problem: '', wasNoop: false });
    }
  });
});
