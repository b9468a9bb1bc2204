import { describe, expect, test } from 'vitest';
import { swarmLab } from '../../../../test/harness/pretend-docker/swarm-lab.ts';
import type { Address } from '../../../domain/addresses/address.ts';

const { nodes, open } = swarmLab();
const hostAt = (address: string) => ({ address: address as Address, hostname: '' });

describe('the task of a host that joins a swarm', () => {
  test.each([
    ['127.0.0.1', '0.0.0.0:2377'],
    ['::1', '[::]:2377'],
  ])(
    'has Docker at %s ask all managers, with the token of workers, and listen at %s',
    async (address, listen) => {
      nodes().add('fd00::8', { reachability: 'reachable' });
      const task = await open().joinTask(hostAt(address));
      const [request = '', ids, ...rest] = task?.commands[0]?.input?.reveal().split('\n') ?? [];
      expect(JSON.parse(request)).toEqual({
        JoinToken: nodes().workerToken,
        RemoteAddrs: ['127.0.0.9:2377', '[fd00::8]:2377'],
        AdvertiseAddr: address,
        ListenAddr: listen,
      });
      expect([ids, rest]).toEqual([
        nodes()
          .nodes.map(({ ID }) => ID)
          .join(' '),
        [''],
      ]);
    },
  );

  test('shows the token nowhere but in what the host reads', async () => {
    const task = await open().joinTask(hostAt('127.0.0.1'));
    expect(JSON.stringify(task)).not.toContain(nodes().workerToken);
    expect(task).toMatchObject({ needs: ['docker', 'curl'], hint: expect.stringContaining('Docker') });
  });

  test('names the managers, by which it is known whether the host is in this swarm', async () => {
    const [manager] = nodes().nodes;
    for (const task of [
      await open().joinTask(hostAt('127.0.0.1')),
      await open().leaveTask(hostAt('127.0.0.1')),
    ])
      expect(task?.commands[0]?.argv.slice(3)).toEqual(['sh', manager?.ID, '127.0.0.9:2377']);
  });

  test('cannot be told by who knows no manager', async () => {
    nodes().nodes = [];
    await expect(open().joinTask(hostAt('127.0.0.1'))).rejects.toThrow(/reports no swarm manager/);
  });
});
