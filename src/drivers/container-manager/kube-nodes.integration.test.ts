import { describe, expect, test } from 'vitest';
import { driverMemory } from '../../../test/harness/driver-contexts.ts';
import { kubernetesFixture } from '../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import { fieldsAt } from '../../../test/harness/fake-kubernetes/objects.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { cordonOwner } from '../../domain/rollout/operation-host.ts';
import { createKubeNodes } from './kube-nodes.ts';

const [NODE, OTHER, V6] = ['127.0.0.1' as Address, '127.0.0.2' as Address, '2001:db8::1' as Address];
const fixture = kubernetesFixture();

const open = (memory = driverMemory()) => createKubeNodes(fixture().createClient(), memory);

/** Returns the API requests that `action` makes. */
async function recordRequests(action: () => Promise<unknown>): Promise<readonly string[]> {
  fixture().server.requests.length = 0;
  await action();
  return fixture().requestLines();
}

describe('node report', () => {
  test('contains readiness and boot ID', async () => {
    fixture().server.kubelet('node-1', { address: NODE, bootId: 'first' });
    const nodes = open();
    const healthy = { state: 'registered', name: 'node-1', ready: true, schedulable: true };
    expect(await nodes.report(NODE)).toEqual({ ...healthy, bootId: 'first' });
    fixture().server.notReady('node-1');
    expect(await nodes.report(NODE)).toEqual({ ...healthy, ready: false, bootId: 'first' });
    fixture().server.notReady('node-1', 'False');
    expect(await nodes.report(NODE)).toMatchObject({ ready: false });
    fixture().server.reboot('node-1', 'second');
    expect(await nodes.report(NODE)).toEqual({ ...healthy, bootId: 'second' });
  });

  test('needs one request after the node was found, also on another server', async () => {
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

  test.each<[label: string, change: () => void]>([
    ['has another name', () => fixture().server.remove('nodes', 'node-1')],
    ['was recreated', () => fixture().server.remove('nodes', 'node-1')],
    ['has lost its name to another host', () => void fixture().server.kubelet('node-1', { address: '127.0.0.9' })],
  ])('finds the right node when it %s', async (label, change) => {
    const memory = driverMemory();
    fixture().server.kubelet('node-1', { address: NODE, bootId: 'old' });
    await open(memory).report(NODE);
    change();
    const name = label === 'was recreated' ? 'node-1' : 'node-2';
    fixture().server.kubelet(name, { address: NODE, bootId: 'new' });
    for (const _ of ['found', 'cached']) expect(await open(memory).report(NODE)).toMatchObject({ name, bootId: 'new' });
  });

  test('is unknown for a host whose node is gone, also if another node has its name', async () => {
    const memory = driverMemory();
    fixture().server.kubelet('node-1', { address: NODE });
    await open(memory).report(NODE);
    fixture().server.kubelet('node-1', { address: OTHER });
    for (const _ of ['once', 'twice']) expect(await open(memory).report(NODE)).toEqual({ state: 'unknown' });
  });

  test('finds a node by each of its addresses in any notation', async () => {
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

  test('rejects an address that two nodes have and names both', async () => {
    fixture().server.kubelet('node-1', { address: NODE });
    fixture().server.kubelet('node-2', { address: NODE });
    const message = `2 nodes of ${fixture().server.url} have the address ${NODE}: node-1, node-2; delete the nodes that no longer exist`;
    await expect(open().report(NODE)).rejects.toThrow(message);
    await expect(open().remove(NODE)).rejects.toThrow(message);
    expect(fixture().server.objects('nodes')).toHaveLength(2);
  });

  test('returns unavailable with a reason instead of throwing', async () => {
    fixture().server.addFault({ match: {}, do: 'cut_response' });
    expect(await open().report(NODE)).toEqual({
      state: 'unavailable',
      reason: expect.stringContaining(`${fixture().server.url} does not respond`),
    });
    fixture().server.clearFaults();
    fixture().server.addFault({ match: {}, do: { status: 503, body: 'upstream is unavailable' } });
    expect(await open().report(NODE)).toMatchObject({
      state: 'unavailable',
      reason: expect.stringContaining('(503)'),
    });
  });
});

describe('node removal', () => {
  test('deletes the node with the address, not another node with the same name', async () => {
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

  test('does not delete a new node with the same name', async () => {
    fixture().server.kubelet('node-1', { address: NODE });
    fixture().server.before({ method: 'DELETE' }, () => {
      fixture().server.remove('nodes', 'node-1');
      fixture().server.kubelet('node-1', { address: OTHER });
    });
    await open().remove(NODE);
    expect(await open().report(OTHER)).toMatchObject({ name: 'node-1' });
  });
});

describe('control plane', () => {
  const createControlPlane = (...numbers: number[]) => {
    for (const number of numbers)
      fixture().server.kubelet(`cp-${number}`, { address: `127.0.1.${number}`, isControlPlane: true });
    fixture().server.kubelet('node-1', { address: NODE });
  };
  const checkDisruption = (number: number) => open().checkDisruption(`127.0.1.${number}` as Address);

  test('contains the nodes with either label, sorted by name', async () => {
    createControlPlane(2, 1);
    fixture().server.kubelet('cp-0', {
      address: '127.0.1.9',
      labels: { 'node-role.kubernetes.io/master': '' },
    });
    expect(await open().controlPlane()).toEqual(['127.0.1.9', '127.0.1.1', '127.0.1.2']);
  });

  test('keeps the node of a host that leaves, without the Hostler cordon', async () => {
    createControlPlane(1);
    const address = '127.0.1.1' as Address;
    await open().cordon(address, cordonOwner('op', 1));
    await open().remove(address);
    const node = fixture().server.object('nodes', 'cp-1');
    expect(node).toBeDefined();
    expect(node?.['spec'] ?? {}).not.toHaveProperty('unschedulable');
    expect(node?.metadata.annotations ?? {}).not.toHaveProperty('hostler/cordoned-by');
  });

  test('allows a disruption while the remaining nodes are a majority', async () => {
    createControlPlane(1, 2, 3);
    expect(await checkDisruption(1)).toBeUndefined();
    fixture().server.notReady('cp-2');
    expect(await checkDisruption(1)).toBe(
      'the control plane would lose its majority: of its 3 nodes, these are not ready: cp-2',
    );
    expect(await checkDisruption(2)).toBeUndefined();
    expect(await open().checkDisruption(NODE)).toBeUndefined();
  });

  test.each([1, 2])('allows any disruption if it has %d nodes', async count => {
    createControlPlane(...Array.from({ length: count }, (_, index) => index + 1));
    expect(await checkDisruption(1)).toBeUndefined();
  });

  test('the disruption check throws for an unknown node', async () => {
    await expect(open().checkDisruption(NODE)).rejects.toThrow(`${NODE} is not a node of`);
  });
});
