// The debug log shows each step and each command of one host in an operation.

import { beforeEach, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { addresses, createSimulatedCluster } from './operations/simulated-cluster.ts';

const HOSTS = addresses(2);
const [HOST] = HOSTS as [Address, ...Address[]];

interface Line {
  readonly msg: string;
  readonly host?: string;
  readonly operation?: string;
  readonly task?: string;
  readonly step?: string;
  readonly attempt?: number;
  readonly command?: string;
  readonly durationMs?: number;
  readonly result?: string;
  readonly exitCode?: number;
  readonly problem?: string;
  readonly event?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

const lines: Line[] = [];
const onDebug = (fields: unknown, msg = '') => void lines.push({ ...(fields as object), msg });

describeSimulation('debug log', { per: 'test', kinds: ['sqlite'], onDebug }, simulation => {
  beforeEach(() => void lines.splice(0));

  test('has a line for each step and command of a host, with the ID of the operation', async () => {
    await simulation().startServer();
    const cluster = await createSimulatedCluster(simulation(), HOSTS);
    const id = await cluster.start('restart');
    await cluster.untilEnded(id);
    const ofHost = lines.filter(({ operation, host }) => operation === id && host === HOST);
    const steps = ofHost.filter(({ msg }) => msg === 'step attempt finished');
    const failed = steps.filter(({ result }) => result === 'retry');
    expect(failed[0]).toMatchObject({ attempt: 1, problem: expect.stringMatching(/^not_cleared: /) });
    expect([...new Set(steps.filter(({ result }) => result === 'done').map(({ step }) => step))]).toEqual(
      'preflight cordon drain plan_reboot reboot wait_for_reboot verify uncordon'.split(' '),
    );
    const commands = ofHost.filter(({ msg }) => msg === 'command');
    expect(commands).toContainEqual(
      expect.objectContaining({ step: 'reboot', command: 'sh', result: 'ended', exitCode: 0 }),
    );
    const phases = ofHost.filter(({ event }) => event === 'operation.host').map(({ data }) => data?.['state']);
    expect(phases).toEqual('preflight queued cordoning draining armed rebooting verifying uncordoning done'.split(' '));
    for (const line of ofHost.filter(({ msg }) => msg !== 'event'))
      expect(line).toMatchObject({
        task: expect.stringMatching(/^(stage|rollout)$/),
        attempt: expect.any(Number),
        durationMs: expect.any(Number),
        result: expect.any(String),
      });
  });

  test('has a line for each command of a health check', async () => {
    await simulation().startServer();
    await createSimulatedCluster(simulation(), HOSTS, { hasManager: false });
    await simulation().clock.advance(120_000);
    expect(lines.filter(({ task, host }) => task === 'health_check' && host === HOST)).toContainEqual(
      expect.objectContaining({ msg: 'command', result: 'ended', exitCode: 0 }),
    );
  });

  test('contains no arguments of commands', async () => {
    await simulation().startServer();
    await createSimulatedCluster(simulation(), HOSTS, { hasManager: false });
    const commands = lines.flatMap(({ command }) => command ?? []);
    expect(commands).not.toEqual([]);
    expect(commands.filter(command => !/^[\w.-]+$/.test(command))).toEqual([]);
  });
});
