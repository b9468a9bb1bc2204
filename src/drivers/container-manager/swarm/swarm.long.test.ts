// The driver with a real swarm: a manager and two daemons that it has not seen before. The tests go on from one to the next.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeOnDocker } from '../../../../test/harness/docker/describe-on-docker.ts';
import type { DockerNode } from '../../../../test/harness/docker/docker-node.ts';
import { startSwarm } from '../../../../test/harness/docker/start-swarm.ts';
import type { Swarm } from '../../../../test/harness/docker/swarm.ts';
import { engineConforms } from '../../../../test/harness/pretend-docker/engine-conformance.ts';
import { openSwarmRecord } from '../../../../test/harness/pretend-docker/swarm-lab.ts';
import { until } from '../../../../test/harness/until.ts';
import { parseAddress } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';
import { DockerClient } from '../../../integrations/docker/docker-client.ts';
import { ConnectionPool } from '../../../integrations/http/connection-pool.ts';
import type { CommandPlan } from '../../command-plan.ts';
import type { ContainerManager } from '../container-manager.ts';

const [OWNER, LATER_OWNER] = [cordonOwner('one', 1), cordonOwner('one', 2)];
/** A node that does not answer is down after about fifteen seconds. */
const DOWN_MS = 60_000;
const TIMEOUT = { timeout: 120_000 };

describeOnDocker('a real swarm', () => {
  const connections = new ConnectionPool();
  let real: Swarm;
  beforeAll(async () => {
    real = await startSwarm({ others: 2 });
  }, 120_000);
  afterAll(async () => {
    await connections.close();
    await real?.stop();
  }, 60_000);

  const other = (index: 0 | 1): DockerNode => {
    const node = real.others[index];
    if (node === undefined) throw new Error('it has too few nodes');
    return node;
  };
  const files = () => ({
    ca_path: real.tls.caPath,
    certificate_path: real.tls.cert,
    certificate_key_path: real.tls.key,
  });
  const open = (node = real.manager): ContainerManager =>
    openSwarmRecord({ options: { server_url: node.url.replace('https', 'tcp'), ...files() }, connections });
  const addressOf = ({ address }: DockerNode) => {
    const parsed = parseAddress(address);
    if (parsed === undefined) throw new Error(`${address} is no address`);
    return parsed;
  };
  const hostOf = (node: DockerNode) => ({ address: addressOf(node), hostname: node.name });

  /** As the engine does it. */
  async function runPlan(node: DockerNode, plan: CommandPlan | null): Promise<void> {
    for (const { argv, input } of plan?.commands ?? []) await node.must(argv, input?.reveal() ?? '');
  }
  async function join(node: DockerNode): Promise<void> {
    await runPlan(node, await open().joinPlan(hostOf(node)));
    const isIn = async () => (await open().register(hostOf(node))) === undefined;
    await until(`${node.name} is a node`, isIn);
    await until(`${node.name} is ready`, async () => {
      const report = await open().report(addressOf(node));
      return report.state === 'registered' && report.ready;
    });
  }
  async function leave(node: DockerNode): Promise<void> {
    await open().remove(addressOf(node));
    await runPlan(node, await open().leavePlan(hostOf(node)));
    await open().remove(addressOf(node));
  }
  const untilDrained = (node: DockerNode) =>
    until(
      `${node.name} is drained`,
      async () => (await open().drain(addressOf(node), { force: false })).state === 'drained',
      DOWN_MS,
    );
  const idOf = async (node: DockerNode) =>
    (await node.must(['docker', 'info', '--format', '{{.Swarm.NodeID}}'])).trim();
  const availability = (node: DockerNode, value: string) =>
    real.manager.must(['docker', 'node', 'update', '--availability', value, node.name]);

  test('is well; a daemon that manages none is not', TIMEOUT, async () => {
    expect(await open().checkConnection()).toEqual({
      version: expect.stringMatching(/^\d+\./),
      problems: [],
    });
    expect((await open(other(0)).checkConnection()).problems).toEqual([
      expect.stringMatching(/is not a swarm manager/),
    ]);
    expect(await open().controlPlane()).toEqual([real.manager.address]);
    await open().remove(addressOf(real.manager));
    expect(await open().report(addressOf(real.manager))).toMatchObject({ state: 'registered' });
  });

  test('takes a host in by its task, which may be repeated', TIMEOUT, async () => {
    expect(await open().report(addressOf(other(0)))).toEqual({ state: 'unknown' });
    const plan = await open().joinPlan(hostOf(other(0)));
    await runPlan(other(0), plan);
    await runPlan(other(0), await open().joinPlan(hostOf(other(0))));
    await join(other(0));
    expect(await open().report(addressOf(other(0)))).toEqual({
      state: 'registered',
      name: other(0).name,
      ready: true,
      schedulable: true,
    });
    expect((await open().checkConnection()).problems).toEqual([]);
  });

  test('moves the tasks of a node that is cordoned and drained, and back comes none', TIMEOUT, async () => {
    const node = other(0);
    await real.createService('sleepers', 4);
    const id = await idOf(node);
    expect((await real.untilRunning('sleepers', 4)).filter(on => on === id)).toHaveLength(2);
    expect(await open().cordon(addressOf(node), OWNER)).toBe('cordoned');
    expect((await real.runningOn('sleepers')).filter(on => on === id)).toHaveLength(2);
    expect(await open().drain(addressOf(node), { force: false })).toMatchObject({ state: 'draining' });
    await untilDrained(node);
    expect(await real.untilRunning('sleepers', 4)).not.toContain(id);
    expect(await open().cordon(addressOf(node), LATER_OWNER)).toBe('cordoned');
    expect(await open().uncordon(addressOf(node), OWNER)).toBe('not_owner');
    expect(await open().uncordon(addressOf(node), LATER_OWNER)).toBe('uncordoned');
    expect(await open().report(addressOf(node))).toMatchObject({ schedulable: true });
  });

  test('keeps paused what people have paused, also when it is drained', TIMEOUT, async () => {
    const node = other(0);
    // Only there is something to be had when the manager takes none.
    await availability(real.manager, 'drain');
    const id = await idOf(node);
    await until(
      'all run there',
      async () => (await real.runningOn('sleepers')).filter(on => on === id).length === 4,
      DOWN_MS,
    );
    await availability(real.manager, 'active');
    await availability(node, 'pause');
    expect(await open().cordon(addressOf(node), OWNER)).toBe('cordoned_by_other');
    await untilDrained(node);
    expect(await real.untilRunning('sleepers', 4)).not.toContain(id);
    const format = '{{.Spec.Availability}} {{.Spec.Labels}}';
    const output = await real.manager.must(['docker', 'node', 'inspect', '--format', format, node.name]);
    expect(output.trim()).toBe('pause map[]');
    await availability(node, 'active');
  });

  test('is left by a host, and taken up again', TIMEOUT, async () => {
    const [node, before] = [other(0), await idOf(other(0))];
    await leave(node);
    expect(await open().report(addressOf(node))).toEqual({ state: 'unknown' });
    expect(await idOf(node)).toBe('');
    await runPlan(node, await open().leavePlan(hostOf(node)));
    await join(node);
    expect(await idOf(node)).not.toBe(before);
  });

  test('takes a host back that was away while it was removed', TIMEOUT, async () => {
    const [node, before] = [other(0), await idOf(other(0))];
    await node.powerOff();
    await open().remove(addressOf(node));
    await node.powerOn();
    expect(await idOf(node)).toBe(before);
    await join(node);
    expect(await idOf(node)).not.toBe(before);
  });

  test('has no ghost of a host that has left by itself and joined anew', TIMEOUT, async () => {
    const node = other(0);
    const engine = new DockerClient({ url: real.manager.url, files: clientFiles(), connections });
    await node.must(['docker', 'swarm', 'leave']);
    await runPlan(node, await open().joinPlan(hostOf(node)));
    const states = async () => (await engine.listNodes()).map(({ Status }) => Status?.State);
    await until('the old one is down', async () => (await states()).includes('down'), DOWN_MS);
    await join(node);
    expect(await states()).toEqual(['ready', 'ready']);
  });

  test('is not joined by a host of another swarm, which stays in that', TIMEOUT, async () => {
    const node = other(1);
    await node.must(['docker', 'swarm', 'init', '--advertise-addr', node.address]);
    const before = await idOf(node);
    const plan = await open().joinPlan(hostOf(node));
    await expect(runPlan(node, plan)).rejects.toThrow(/is in another swarm/);
    await runPlan(node, await open().leavePlan(hostOf(node)));
    expect(await idOf(node)).toBe(before);
    await node.must(['docker', 'swarm', 'leave', '--force']);
  });

  test('says when the token is not good any more', TIMEOUT, async () => {
    const plan = await open().joinPlan(hostOf(other(1)));
    await real.manager.must(['docker', 'swarm', 'join-token', '--rotate', '--quiet', 'worker']);
    await expect(runPlan(other(1), plan)).rejects.toThrow(/valid join token is necessary/);
    await runPlan(other(1), await open().joinPlan(hostOf(other(1))));
    await leave(other(1));
  });

  const clientFiles = () => ({
    caPath: real.tls.caPath,
    certificatePath: real.tls.cert,
    certificateKeyPath: real.tls.key,
  });

  describe('to a client', () => {
    beforeAll(async () => {
      // One task, on the worker.
      await real.manager.must(['docker', 'service', 'rm', 'sleepers']);
      await leave(other(0));
      await join(other(0));
      await availability(real.manager, 'pause');
      await real.createService('one', 1);
      await real.untilRunning('one', 1);
    }, 120_000);

    const engineOf = ({ url }: DockerNode) => new DockerClient({ url, files: clientFiles(), connections });
    engineConforms({ manager: () => engineOf(real.manager), worker: () => engineOf(other(1)) });
  });
});
