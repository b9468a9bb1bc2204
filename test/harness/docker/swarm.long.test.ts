import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cgroupOf, removeLeftovers } from '../hosts/run-folder.ts';
import { runCommand } from '../programs/process.ts';
import { processesNaming } from '../programs/processes-naming.ts';
import { until } from '../until.ts';
import { describeOnDocker } from './describe-on-docker.ts';
import { startSwarm } from './start-swarm.ts';
import type { Swarm } from './swarm.ts';

interface Node {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: Readonly<Record<string, unknown>>;
  readonly Description: { readonly Hostname: string };
  readonly Status: { readonly State: string };
}

describeOnDocker('a swarm of two Docker daemons', () => {
  let swarm: Swarm;
  beforeAll(async () => {
    swarm = await startSwarm();
  }, 120_000);
  afterAll(() => swarm?.stop(), 60_000);

  const nodeCalled = async (name: string): Promise<Node | undefined> => {
    const { body } = await swarm.manager.request('/nodes');
    return (body as Node[]).find(node => node.Description.Hostname === name);
  };

  test('moves the tasks of a node that is drained', async () => {
    const { manager, others } = swarm;
    const [other] = others;
    if (other === undefined) throw new Error('there is no other node');
    const body = { RemoteAddrs: [`${manager.address}:2377`], JoinToken: await swarm.workerToken() };
    const joined = await other.request('/swarm/join', {
      method: 'POST',
      body: { ...body, ListenAddr: `${other.address}:2377`, AdvertiseAddr: other.address },
    });
    expect(joined.status).toBe(200);
    const own = await until('the other is ready', async () => {
      const node = await nodeCalled(other.name);
      return node?.Status.State === 'ready' && node;
    });

    await swarm.createService('sleepers', 4);
    const before = await swarm.untilRunning('sleepers', 4);
    expect(before.filter(id => id === own.ID)).toHaveLength(2);

    const drain = { method: 'POST', body: { ...own.Spec, Availability: 'drain' } };
    const stale = await manager.request(`/nodes/${own.ID}/update?version=${own.Version.Index - 1}`, drain);
    expect(stale.body).toMatchObject({ message: expect.stringContaining('update out of sequence') });
    const index = (await nodeCalled(other.name))?.Version.Index;
    expect((await manager.request(`/nodes/${own.ID}/update?version=${index}`, drain)).status).toBe(200);
    await until('all tasks run elsewhere', async () => !(await swarm.runningOn('sleepers')).includes(own.ID));
    expect(new Set(await swarm.untilRunning('sleepers', 4)).size).toBe(1);
  });

  test('is reached on a node by its own socket, and by its own name', async () => {
    for (const node of [swarm.manager, ...swarm.others]) {
      const { stdout } = await swarm.run(
        node,
        ['sh', '-c', 'hostname; docker info -f "{{.Name}}"; cat'],
        'said',
      );
      expect(stdout.split('\n')).toEqual([node.name, node.name, 'said']);
    }
  });

  test('has the node again that has lost its power', async () => {
    const [other] = swarm.others;
    await other?.powerOff();
    await expect(other?.request('/_ping', { timeoutMs: 300 })).rejects.toThrow();
    await other?.powerOn();
    const state = () => other?.must(['docker', 'info', '-f', '{{.Swarm.LocalNodeState}}']);
    await until('it is a member', async () => (await state())?.trim() === 'active');
  });
});

/** Has a swarm with a task, and then does nothing more. */
const HOLDER = `
import { startSwarm } from './test/harness/docker/start-swarm.ts';
import { runFolder } from './test/harness/hosts/run-folder.ts';
const swarm = await startSwarm();
await swarm.createService('sleepers', 1);
await swarm.untilRunning('sleepers', 1);
const { folder, number } = await runFolder();
console.log(['has', folder, number, swarm.manager.name, 'ready'].join(' '));
setInterval(() => {}, 1000);
`;

/** Also where Docker has put its containers. */
const cgroupsOf = (run: string) =>
  ['', 'memory', 'pids', 'systemd']
    .map(name => path.join('/sys/fs/cgroup', name, cgroupOf(Number(run))))
    .filter(folder => existsSync(folder));

describeOnDocker('a process that is killed', () => {
  test('takes its daemons along, and the next removes what they leave', async () => {
    const holder = runCommand(process.execPath, ['--input-type=module', '-e', HOLDER], {});
    const [, folder = '', number = '', name = ''] = (await holder.says(/has .* ready/)).split(' ');
    expect(processesNaming(`${folder}/${name}`)).not.toEqual([]);
    expect(cgroupsOf(number)).not.toEqual([]);
    await holder.kill('SIGKILL');
    await until('its daemons are gone', () => processesNaming(`${folder}/${name}`).length === 0);
    await removeLeftovers();
    expect([existsSync(folder), cgroupsOf(number)]).toEqual([false, []]);
    await until('its network card is gone', () => !existsSync(`/sys/class/net/${name}`));
  });
});
