// Tests the driver with a real swarm: a manager and two other Docker daemons. Each test continues from the state of the
// previous one.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DockerNode } from '../../../../test/harness/docker/docker-node.ts';
import type { Swarm } from '../../../../test/harness/docker/swarm.ts';
import { startSwarm } from '../../../../test/harness/docker/swarm.ts';
import { testEngineConformance } from '../../../../test/harness/fake-docker/engine-conformance.ts';
import { openSwarm } from '../../../../test/harness/fake-docker/swarm-fixtures.ts';
import { describeOnDocker } from '../../../../test/harness/vitest/conditional-suites.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { parseAddress } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';
import { DockerClient } from '../../../integrations/docker/docker-client.ts';
import { ConnectionPool } from '../../../integrations/http/connection-pool.ts';
import type { CommandPlan } from '../../command-plan.ts';
import type { ContainerManager } from '../container-manager.ts';

const [OWNER, LATER_OWNER] = [cordonOwner('op', 1), cordonOwner('op', 2)];
/** Docker reports an unresponsive node as down after about fifteen seconds. */
const DOWN_MS = 60_000;

describeOnDocker('swarm driver with a real swarm', () => {
  const connections = new ConnectionPool();
  let swarm: Swarm;
  beforeAll(async () => {
    swarm = await startSwarm({ others: 2 });
  });
  afterAll(async () => {
    await connections.close();
    await swarm?.stop();
  });

  const other = (index: 0 | 1): DockerNode => {
    const node = swarm.others[index];
    if (node === undefined) throw new Error('the swarm has too few nodes');
    return node;
  };
  const files = () => ({
    ca_path: swarm.tls.caPath,
    certificate_path: swarm.tls.cert,
    certificate_key_path: swarm.tls.key,
  });
  const open = (node = swarm.manager): ContainerManager =>
    openSwarm({ options: { server_url: node.url.replace('https', 'tcp'), ...files() }, connections });
  const addressOf = ({ address }: DockerNode) => {
    const parsed = parseAddress(address);
    if (parsed === undefined) throw new Error(`${address} is not an address`);
    return parsed;
  };
  const hostOf = (node: DockerNode) => ({ address: addressOf(node), hostname: node.name });

  /** Runs the plan as the engine does. */
  async function runPlan(node: DockerNode, plan: CommandPlan | null): Promise<void> {
    for (const { argv, input } of plan?.commands ?? []) await node.runChecked(argv, input?.reveal() ?? '');
  }
  async function join(node: DockerNode): Promise<void> {
    await runPlan(node, await open().joinPlan(hostOf(node)));
    const isRegistered = async () => (await open().register(hostOf(node))) === undefined;
    await waitUntil(`${node.name} is a node`, isRegistered);
    await waitUntil(`${node.name} is ready`, async () => {
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
    waitUntil(
      `${node.name} is drained`,
      async () => (await open().drain(addressOf(node), { force: false })).state === 'drained',
      DOWN_MS,
    );
  const idOf = async (node: DockerNode) =>
    (await node.runChecked(['docker', 'info', '--format', '{{.Swarm.NodeID}}'])).trim();
  const availability = (node: DockerNode, value: string) =>
    swarm.manager.runChecked(['docker', 'node', 'update', '--availability', value, node.name]);

  test('passes the connection check, and a daemon that is not a manager fails it', async () => {
    expect(await open().checkConnection()).toEqual({
      version: expect.stringMatching(/^\d+\./),
      problems: [],
    });
    expect((await open(other(0)).checkConnection()).problems).toEqual([
      expect.stringMatching(/is not a swarm manager/),
    ]);
    expect(await open().controlPlane()).toEqual([swarm.manager.address]);
    await open().remove(addressOf(swarm.manager));
    expect(await open().report(addressOf(swarm.manager))).toMatchObject({ state: 'registered' });
  });

  test('accepts a host that runs its join plan, also when repeated', async () => {
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

  test('moves the tasks of a cordoned and drained node to other nodes', async () => {
    const node = other(0);
    await swarm.createService('sleep', 4);
    const id = await idOf(node);
    expect((await swarm.waitUntilRunning('sleep', 4)).filter(nodeId => nodeId === id)).toHaveLength(2);
    expect(await open().cordon(addressOf(node), OWNER)).toBe('cordoned');
    expect((await swarm.runningOn('sleep')).filter(nodeId => nodeId === id)).toHaveLength(2);
    expect(await open().drain(addressOf(node), { force: false })).toMatchObject({ state: 'draining' });
    await untilDrained(node);
    expect(await swarm.waitUntilRunning('sleep', 4)).not.toContain(id);
    expect(await open().cordon(addressOf(node), LATER_OWNER)).toBe('cordoned');
    expect(await open().uncordon(addressOf(node), OWNER)).toBe('not_owner');
    expect(await open().uncordon(addressOf(node), LATER_OWNER)).toBe('uncordoned');
    expect(await open().report(addressOf(node))).toMatchObject({ schedulable: true });
  });

  test('keeps a node paused that others have paused, also after a drain', async () => {
    const node = other(0);
    // While the manager is drained, tasks can run only on this node.
    await availability(swarm.manager, 'drain');
    const id = await idOf(node);
    await waitUntil(
      'all tasks on the node',
      async () => (await swarm.runningOn('sleep')).filter(nodeId => nodeId === id).length === 4,
      DOWN_MS,
    );
    await availability(swarm.manager, 'active');
    await availability(node, 'pause');
    expect(await open().cordon(addressOf(node), OWNER)).toBe('cordoned_by_other');
    await untilDrained(node);
    expect(await swarm.waitUntilRunning('sleep', 4)).not.toContain(id);
    const format = '{{.Spec.Availability}} {{.Spec.Labels}}';
    const output = await swarm.manager.runChecked(['docker', 'node', 'inspect', '--format', format, node.name]);
    expect(output.trim()).toBe('pause map[]');
    await availability(node, 'active');
  });

  test('removes a host and accepts it again', async () => {
    const [node, before] = [other(0), await idOf(other(0))];
    await leave(node);
    expect(await open().report(addressOf(node))).toEqual({ state: 'unknown' });
    expect(await idOf(node)).toBe('');
    await runPlan(node, await open().leavePlan(hostOf(node)));
    await join(node);
    expect(await idOf(node)).not.toBe(before);
  });

  test('accepts a host again that was offline while it was removed', async () => {
    const [node, before] = [other(0), await idOf(other(0))];
    await node.powerOff();
    await open().remove(addressOf(node));
    await node.powerOn();
    expect(await idOf(node)).toBe(before);
    await join(node);
    expect(await idOf(node)).not.toBe(before);
  });

  test('removes the stale node of a host that left and joined again', async () => {
    const node = other(0);
    const engine = new DockerClient({ url: swarm.manager.url, files: clientFiles(), connections });
    await node.runChecked(['docker', 'swarm', 'leave']);
    await runPlan(node, await open().joinPlan(hostOf(node)));
    const states = async () => (await engine.listNodes()).map(({ Status }) => Status?.State);
    await waitUntil('the old node is down', async () => (await states()).includes('down'), DOWN_MS);
    await join(node);
    expect(await states()).toEqual(['ready', 'ready']);
  });

  test('rejects a host of another swarm, which stays in that swarm', async () => {
    const node = other(1);
    await node.runChecked(['docker', 'swarm', 'init', '--advertise-addr', node.address]);
    const before = await idOf(node);
    const plan = await open().joinPlan(hostOf(node));
    await expect(runPlan(node, plan)).rejects.toThrow(/is in another swarm/);
    await runPlan(node, await open().leavePlan(hostOf(node)));
    expect(await idOf(node)).toBe(before);
    await node.runChecked(['docker', 'swarm', 'leave', '--force']);
  });

  test('reports an invalid join token', async () => {
    const plan = await open().joinPlan(hostOf(other(1)));
    await swarm.manager.runChecked(['docker', 'swarm', 'join-token', '--rotate', '--quiet', 'worker']);
    await expect(runPlan(other(1), plan)).rejects.toThrow(/valid join token is necessary/);
    await runPlan(other(1), await open().joinPlan(hostOf(other(1))));
    await leave(other(1));
  });

  const clientFiles = () => ({
    caPath: swarm.tls.caPath,
    certificatePath: swarm.tls.cert,
    certificateKeyPath: swarm.tls.key,
  });

  describe('with DockerClient', () => {
    beforeAll(async () => {
      // One task on the worker.
      await swarm.manager.runChecked(['docker', 'service', 'rm', 'sleep']);
      await leave(other(0));
      await join(other(0));
      await availability(swarm.manager, 'pause');
      await swarm.createService('single', 1);
      await swarm.waitUntilRunning('single', 1);
    });

    const engineOf = ({ url }: DockerNode) => new DockerClient({ url, files: clientFiles(), connections });
    testEngineConformance({ manager: () => engineOf(swarm.manager), worker: () => engineOf(other(1)) });
  });
});
