import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProcesses } from '../programs/proc-files.ts';
import { runCommand } from '../programs/process.ts';
import { cgroupName, removeLeftovers } from '../real-hosts/run-folder.ts';
import { describeOnDocker } from '../vitest/conditional-suites.ts';
import { waitUntil } from '../wait-until.ts';
import type { Swarm } from './swarm.ts';
import { startSwarm } from './swarm.ts';

interface Node {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: Readonly<Record<string, unknown>>;
  readonly Description: { readonly Hostname: string };
  readonly Status: { readonly State: string };
}

describeOnDocker('swarm of two Docker daemons', () => {
  let swarm: Swarm;
  beforeAll(async () => {
    swarm = await startSwarm();
  });
  afterAll(() => swarm?.stop());

  const findNode = async (name: string): Promise<Node | undefined> => {
    const { body } = await swarm.manager.request('/nodes');
    return (body as Node[]).find(node => node.Description.Hostname === name);
  };

  test('moves the tasks of a drained node', async () => {
    const { manager, others } = swarm;
    const [other] = others;
    if (other === undefined) throw new Error('the swarm has no worker');
    const body = { RemoteAddrs: [`${manager.address}:2377`], JoinToken: await swarm.workerToken() };
    const joined = await other.request('/swarm/join', {
      method: 'POST',
      body: { ...body, ListenAddr: `${other.address}:2377`, AdvertiseAddr: other.address },
    });
    expect(joined.status).toBe(200);
    const workerNode = await waitUntil('the worker is ready', async () => {
      const node = await findNode(other.name);
      return node?.Status.State === 'ready' && node;
    });

    await swarm.createService('sleepers', 4);
    const before = await swarm.waitUntilRunning('sleepers', 4);
    expect(before.filter(id => id === workerNode.ID)).toHaveLength(2);

    const drain = { method: 'POST', body: { ...workerNode.Spec, Availability: 'drain' } };
    const stale = await manager.request(
      `/nodes/${workerNode.ID}/update?version=${workerNode.Version.Index - 1}`,
      drain,
    );
    expect(stale.body).toMatchObject({ message: expect.stringContaining('update out of sequence') });
    const index = (await findNode(other.name))?.Version.Index;
    expect((await manager.request(`/nodes/${workerNode.ID}/update?version=${index}`, drain)).status).toBe(200);
    await waitUntil(
      'all tasks run elsewhere',
      async () => !(await swarm.runningOn('sleepers')).includes(workerNode.ID),
    );
    expect(new Set(await swarm.waitUntilRunning('sleepers', 4)).size).toBe(1);
  });

  test('commands on a node use the host name and the Docker socket of the node', async () => {
    for (const node of [swarm.manager, ...swarm.others]) {
      const { stdout } = await swarm.run(node, ['sh', '-c', 'hostname; docker info -f "{{.Name}}"; cat'], 'said');
      expect(stdout.split('\n')).toEqual([node.name, node.name, 'said']);
    }
  });

  test('a node rejoins the swarm after a power loss', async () => {
    const [other] = swarm.others;
    await other?.powerOff();
    await expect(other?.request('/_ping', { timeoutMs: 300 })).rejects.toThrow();
    await other?.powerOn();
    const state = () => other?.runChecked(['docker', 'info', '-f', '{{.Swarm.LocalNodeState}}']);
    await waitUntil('the node is a member', async () => (await state())?.trim() === 'active');
  });
});

/** Starts a swarm with a task and keeps running. */
const HOLDER = `
import { startSwarm } from './test/harness/docker/swarm.ts';
import { runFolder } from './test/harness/real-hosts/run-folder.ts';
const swarm = await startSwarm();
await swarm.createService('sleepers', 1);
await swarm.waitUntilRunning('sleepers', 1);
const { folder, number } = await runFolder();
console.log(['has', folder, number, swarm.manager.name, 'ready'].join(' '));
setInterval(() => {}, 1000);
`;

/** Includes the cgroups of Docker containers. */
const listCgroups = (run: string) =>
  ['', 'memory', 'pids', 'systemd']
    .map(name => path.join('/sys/fs/cgroup', name, cgroupName(Number(run))))
    .filter(folder => existsSync(folder));

describeOnDocker('cleanup of Docker daemons after a killed process', () => {
  test('the daemons end with the process, and the next process removes their files', async () => {
    const holder = runCommand(process.execPath, ['--input-type=module', '-e', HOLDER], {});
    const [, folder = '', number = '', name = ''] = (await holder.waitForOutput(/has .* ready/)).split(' ');
    expect(findProcesses(`${folder}/${name}`)).not.toEqual([]);
    expect(listCgroups(number)).not.toEqual([]);
    await holder.kill('SIGKILL');
    await waitUntil('its daemons are gone', () => findProcesses(`${folder}/${name}`).length === 0);
    await removeLeftovers();
    expect([existsSync(folder), listCgroups(number)]).toEqual([false, []]);
    await waitUntil('its network card is gone', () => !existsSync(`/sys/class/net/${name}`));
  });
});
