import { describe, expect, test } from 'vitest';
import { driverMemory } from '../../../test/harness/driver-memory.ts';
import { kubeLab } from '../../../test/harness/pretend-kubernetes/kube-lab.ts';
import { fieldsAt } from '../../../test/harness/pretend-kubernetes/objects.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { cordonOwner } from '../../domain/rollout/operation-host.ts';
import { createKubeNodes } from './kube-nodes.ts';

const [NODE, OTHER, V6] = ['127.0.0.1' as Address, '127.0.0.2' as Address, '2001:db8::1' as Address];
const fixture = kubeLab();

const open = (memory = driverMemory()) => createKubeNodes(fixture().api(), memory);

/** What the API was asked for by something. */
async function recordRequests(work: () => Promise<unknown>): Promise<readonly string[]> {
  fixture().server.requests.length = 0;
  await work();
  return fixture().asked();
}

describe('a report', () => {
  test('says how the node is, and by which boot', async () => {
    fixture().server.kubelet('node-1', { address: NODE, bootId: 'first' });
    const nodes = open();
    const well = { state: 'registered', name: 'node-1', ready: true, schedulable: true };
    expect(await nodes.report(NODE)).toEqual({ ...well, bootId: 'first' });
    fixture().server.notReady('node-1');
    expect(await nodes.report(NODE)).toEqual({ ...well, ready: false, bootId: 'first' });
    fixture().server.notReady('node-1', 'False');
    expect(await nodes.report(NODE)).toMatchObject({ ready: false });
    fixture().server.reboot('node-1', 'second');
    expect(await nodes.report(NODE)).toEqual({ ...well, bootId: 'second' });
  });

  test('costs one read once the node was found, whoever asks', async () => {
    for (let number = 2; number < 502; number += 1)
      fixture().server.kubelet(`n-${number}`, { address: `127.0.${number >> 8}.${number & 255}` });
    fixture().server.kubelet('node-1', { address: NODE });
    const memory = driverMemory();
    expect(await recordRequests(() => open(memory).report(NODE))).toEqual([
      'GET /api/v1/nodes 200',
      'GET /api/v1/nodes 200',
    ]);
    expect(await recordRequests(() => open(memory).report(NODE))).toEqual(['GET /api/v1/nodes/node-1 200']);
  });

  test.each<[what: string, disturb: () => void]>([
    ['has another name', () => fixture().server.remove('nodes', 'node-1')],
    ['was made anew', () => fixture().server.remove('nodes', 'node-1')],
    ['has given its name away', () => void fixture().server.kubelet('node-1', { address: '127.0.0.9' })],
  ])('is about the right node when that %s', async (what, disturb) => {
    const memory = driverMemory();
    fixture().server.kubelet('node-1', { address: NODE, bootId: 'old' });
    await open(memory).report(NODE);
    disturb();
    const name = what === 'was made anew' ? 'node-1' : 'node-2';
    fixture().server.kubelet(name, { address: NODE, bootId: 'new' });
    for (const _ of ['found', 'remembered'])
      expect(await open(memory).report(NODE)).toMatchObject({ name, bootId: 'new' });
  });

  test('does not know a host whose node is gone, whatever has its name', async () => {
    const memory = driverMemory();
    fixture().server.kubelet('node-1', { address: NODE });
    await open(memory).report(NODE);
    fixture().server.kubelet('node-1', { address: OTHER });
    for (const _ of ['once', 'twice']) expect(await open(memory).report(NODE)).toEqual({ state: 'unknown' });
  });

  test('finds a node by each of its addresses, in whatever form they are written', async () => {
    fixture().server.kubelet('node-1', { address: '2001:DB8:0:0::0001' });
    fixture().server.change('nodes', 'node-1', node => {
      const addresses = [
        { type: 'Hostname', address: 'node-1' },
        { type: 'ExternalIP', address: '::ffff:127.0.0.2' },
        { type: 'InternalIP', address: '2001:DB8:0:0::0001' },
        { type: 'InternalDNS', address: 'node-1.example' },
      ];
      node['status'] = { ...fieldsAt(node, 'status'), addresses };
    });
    expect(await open().report(V6)).toMatchObject({ name: 'node-1' });
    expect(await open().report(OTHER)).toMatchObject({ name: 'node-1' });
  });

  test('is refused for an address that two nodes claim, with the names of both', async () => {
    fixture().server.kubelet('node-1', { address: NODE });
    fixture().server.kubelet('node-2', { address: NODE });
    const why = `2 nodes of ${fixture().server.url} have the address ${NODE}: node-1, node-2; delete the nodes that no longer exist`;
    await expect(open().report(NODE)).rejects.toThrow(why);
    await expect(open().remove(NODE)).rejects.toThrow(why);
    expect(fixture().server.objects('nodes')).toHaveLength(2);
  });

  test('says why it cannot be had, and throws nothing', async () => {
    fixture().server.fault({ match: {}, do: 'reset' });
    expect(await open().report(NODE)).toEqual({
      state: 'unavailable',
      reason: expect.stringContaining(`${fixture().server.url} does not respond`),
    });
    fixture().server.mend();
    fixture().server.fault({ match: {}, do: { status: 503, body: 'upstream is away' } });
    expect(await open().report(NODE)).toMatchObject({
      state: 'unavailable',
      reason: expect.stringContaining('(503)'),
    });
  });
});

describe('removing', () => {
  test('takes the node of the address and no other, also not one of the name that it had', async () => {
    const memory = driverMemory();
    fixture().server.kubelet('node-1', { address: NODE });
    await open(memory).report(NODE);
    fixture().server.kubelet('node-1', { address: OTHER });
    await open(memory).remove(NODE);
    expect(fixture().server.objects('nodes')).toHaveLength(1);
    fixture().server.kubelet('node-2', { address: NODE });
    await open(memory).remove(NODE);
    expect(
      fixture()
        .server.objects('nodes')
        .map(({ metadata }) => metadata.name),
    ).toEqual(['node-1']);
  });

  test('leaves a node alone that takes the name at that moment', async () => {
    fixture().server.kubelet('node-1', { address: NODE });
    fixture().server.before({ method: 'DELETE' }, () => {
      fixture().server.remove('nodes', 'node-1');
      fixture().server.kubelet('node-1', { address: OTHER });
    });
    await open().remove(NODE);
    expect(await open().report(OTHER)).toMatchObject({ name: 'node-1' });
  });
});

describe('the control plane', () => {
  const plane = (...numbers: number[]) => {
    for (const number of numbers)
      fixture().server.kubelet(`cp-${number}`, { address: `127.0.1.${number}`, isControlPlane: true });
    fixture().server.kubelet('node-1', { address: NODE });
  };
  const problem = (number: number) => open().checkDisruption(`127.0.1.${number}` as Address);

  test('is the nodes with one of the two labels, by name', async () => {
    plane(2, 1);
    fixture().server.kubelet('cp-0', {
      address: '127.0.1.9',
      labels: { 'node-role.kubernetes.io/master': '' },
    });
    expect(await open().controlPlane()).toEqual(['127.0.1.9', '127.0.1.1', '127.0.1.2']);
  });

  test('keeps the node of a host that leaves, without our cordon', async () => {
    plane(1);
    const address = '127.0.1.1' as Address;
    await open().cordon(address, cordonOwner('one', 1));
    await open().remove(address);
    const node = fixture().server.object('nodes', 'cp-1');
    expect(node).toBeDefined();
    expect(node?.['spec'] ?? {}).not.toHaveProperty('unschedulable');
    expect(node?.metadata.annotations ?? {}).not.toHaveProperty('hostler/cordoned-by');
  });

  test('may lose a node as long as those that stay are a majority', async () => {
    plane(1, 2, 3);
    expect(await problem(1)).toBeUndefined();
    fixture().server.notReady('cp-2');
    expect(await problem(1)).toBe(
      'the control plane would lose its majority: of its 3 nodes, these are not ready: cp-2',
    );
    expect(await problem(2)).toBeUndefined();
    expect(await open().checkDisruption(NODE)).toBeUndefined();
  });

  test.each([1, 2])('of %d nodes has no majority to lose', async count => {
    plane(...Array.from({ length: count }, (_, index) => index + 1));
    expect(await problem(1)).toBeUndefined();
  });

  test('is not asked of a node that is unknown', async () => {
    await expect(open().checkDisruption(NODE)).rejects.toThrow(`${NODE} is not a node of`);
  });
});
