// Restarts of real hosts whose /run is read-only or full. They fail within seconds with the output of the
// failed command.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OperationHost } from '../../src/domain/rollout/operation-host.ts';
import { describeOnRealHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHost } from '../harness/real-hosts/light-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { CLUSTER, FollowedOperation, phasesOf } from './followed-operation.ts';

const DEADLINE_MS = 120_000;
const MAX_FAILURE_MS = 10_000;

/** Name, command that breaks /run, command that repairs it, expected error. */
const CASES = [
  [
    'read-only',
    'mount -o remount,ro /run',
    'mount -o remount,rw /run',
    /^run_not_writable: cannot (create|write to) \/run\/hostler on the host: .+: Read-only file system$/,
  ],
  [
    'full',
    'mount -o remount,size=64k /run && ! cat /dev/zero >/run/filler',
    'rm /run/filler && mount -o remount,size=16m /run',
    /^run_not_writable: cannot (create|write to) \/run\/hostler on the host: .+: No space left on device$/,
  ],
] as const;

interface RestartRecord {
  readonly status: string;
  readonly in_process: readonly {
    readonly address: string;
    readonly state: string;
    readonly error: string;
  }[];
}

function phaseDurationMs({ phases }: OperationHost, from: string, to: string): number {
  const at = (phase: string) => Date.parse(`${phases.findLast(entry => entry.phase === phase)?.at}Z`);
  return at(to) - at(from);
}

describeOnRealHosts('a restart of a host with an unwritable /run', () => {
  let service: TestService;
  let first: LightHost;
  let second: LightHost;
  let repair = '';

  beforeAll(async () => {
    service = await startTestService('sqlite', {
      HOSTLER_TRANSPORT: 'ssh',
      HOSTLER_SSH_CONNECT_TIMEOUT_S: '2',
    });
    first = await startLightHost({ identity: 'debian' });
    second = await startLightHost({ identity: 'debian' });
    await enrolInCluster(service.client, [first, second]);
  }, IMAGE_BUILD_MS);
  afterEach(async () => {
    if (repair !== '') await second.runChecked(['sh', '-c', repair]);
    repair = '';
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([first, second].map(host => host?.stop()));
  });

  async function breakRun(change: string, undo: string): Promise<void> {
    await second.runChecked(['sh', '-c', change]);
    repair = undo;
  }

  const restart = (hosts: readonly LightHost[]) =>
    FollowedOperation.start(service, {
      kind: 'restart',
      policy: {
        hosts: hosts.map(({ address }) => address),
        order: hosts.map(({ address }) => address),
        min_healthy_s: 0,
        timeouts: { reboot: 30, ready: 30 },
      },
    });
  const record = async () => (await service.get<RestartRecord>(`/api/v0/cluster/${CLUSTER}/restart`)).body;

  describe.each(CASES)('with /run that is %s', (_case, change, undo, error) => {
    test('fails in preflight within seconds, with the error in the record', async () => {
      await breakRun(change, undo);
      const { boots } = second.hostProcess;
      const startedMs = performance.now();
      const operation = await restart([second]);
      expect(await operation.waitForEnd(DEADLINE_MS)).toMatch(/^failed /);
      expect(performance.now() - startedMs).toBeLessThan(MAX_FAILURE_MS);
      expect(await record()).toMatchObject({
        status: 'failed',
        in_process: [{ address: second.address, state: 'failed', error: expect.stringMatching(error) }],
      });
      expect(phasesOf(await operation.host(second))).toEqual(['preflight', 'failed']);
      expect(second.hostProcess.boots).toBe(boots);
    });

    test('fails within seconds when the reboot is sent, and a retry after the repair reboots once', async () => {
      const { boots } = second.hostProcess;
      const operation = await restart([first, second]);
      await operation.untilPhase('rebooting');
      expect((await operation.host(second)).phase).toBe('staging');
      await breakRun(change, undo);
      expect(await operation.waitForEnd(DEADLINE_MS)).toMatch(/^failed /);
      const failed = await operation.host(second);
      expect(phasesOf(failed)).toEqual(['preflight', 'queued', 'armed', 'failed']);
      expect(failed.problem).toMatch(error);
      expect(phaseDurationMs(failed, 'armed', 'failed')).toBeLessThan(MAX_FAILURE_MS);
      expect((await record()).in_process).toMatchObject([
        { address: second.address, state: 'failed', error: failed.problem },
      ]);
      expect(second.hostProcess.boots).toBe(boots);
      await second.runChecked(['sh', '-c', undo]);
      repair = '';
      await service.client.retryHosts({ id: operation.id, body: {} });
      expect(await operation.waitForEnd(DEADLINE_MS)).toBe('finished');
      expect(second.hostProcess.boots).toBe(boots + 1);
    });
  });
});
