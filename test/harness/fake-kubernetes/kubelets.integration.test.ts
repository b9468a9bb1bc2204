import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { KubernetesTestClient } from './api-client.ts';
import { NODES, PODS, serverFixture } from './kubernetes-fixtures.ts';
import { at, findCondition, listAt } from './objects.ts';
import { startKubernetes } from './server.ts';

const { server, admin, evict } = serverFixture();

describe('kubelets of the fake Kubernetes API', () => {
  test('report their node and keep changes of other clients', async () => {
    server().kubelet('n1', { address: '127.0.0.9', bootId: 'b1', isControlPlane: true });
    await admin().request('PATCH', `${NODES}/n1`, {
      spec: { unschedulable: true },
      metadata: { labels: { zone: 'a' } },
    });
    server().reboot('n1', 'b2');
    server().kubelet('n1', { address: '127.0.0.10', bootId: 'b3' });
    const { body } = await admin().request('GET', `${NODES}/n1`);
    expect(at(body, 'spec', 'unschedulable')).toBe(true);
    expect(at(body, 'status', 'nodeInfo', 'bootID')).toBe('b3');
    expect(at(body, 'metadata', 'labels')).toMatchObject({
      zone: 'a',
      'kubernetes.io/hostname': 'n1',
      'node-role.kubernetes.io/control-plane': '',
      'node-role.kubernetes.io/master': '',
    });
    expect(listAt(body, 'status', 'addresses')).toEqual([
      { type: 'InternalIP', address: '127.0.0.10' },
      { type: 'Hostname', address: 'n1' },
    ]);
  });

  test('get and lose the cordon taint, each with a new version of the node', async () => {
    server().kubelet('n1', { address: '127.0.0.9' });
    const cordon = (unschedulable: boolean) => admin().request('PATCH', `${NODES}/n1`, { spec: { unschedulable } });
    const { body } = await cordon(true);
    const node = server().object('nodes', 'n1');
    expect(at(body, 'spec', 'taints')).toBe(undefined);
    expect(listAt(node, 'spec', 'taints')).toMatchObject([
      { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
    ]);
    expect(node?.metadata.resourceVersion).not.toBe(at(body, 'metadata', 'resourceVersion'));
    await cordon(false);
    expect(server().object('nodes', 'n1')?.['spec']).toEqual({});
  });

  test('remove no pod while they are unresponsive', async () => {
    server().kubelet('n1', { address: '127.0.0.9' });
    server().pod('stuck', { node: 'n1' });
    server().notReady('n1');
    const node = server().object('nodes', 'n1');
    expect(node && findCondition(node, 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
    });
    expect((await evict('stuck')).code).toBe(201);
    expect(server().object('pods', 'stuck', 'default')?.metadata.deletionGracePeriodSeconds).toBe(30);
    server().ready('n1');
    expect(server().object('pods', 'stuck', 'default')).toBe(undefined);
  });
});

describe('pod termination of the fake Kubernetes API', () => {
  test('finishes when the test calls finishTermination', async () => {
    server().settings.termination = 'by test';
    server().pod('p1', { node: 'n1' });
    expect((await evict('p1')).code).toBe(201);
    expect((await admin().request('GET', `${PODS}/p1`)).code).toBe(200);
    server().finishTermination('p1');
    expect((await admin().request('GET', `${PODS}/p1`)).code).toBe(404);
  });

  test('finishes after a delay by the clock of the server', async () => {
    const clock = new VirtualClock();
    const timed = await startKubernetes({ clock, settings: { termination: { afterMs: 5000 } } });
    const client = new KubernetesTestClient({ url: timed.url, ca: timed.ca, token: timed.adminToken });
    timed.pod('p1', { node: 'n1' });
    await client.request('DELETE', `${PODS}/p1`);
    await clock.advance(4999);
    expect(timed.objects('pods')).toHaveLength(1);
    await clock.advance(1);
    expect(timed.objects('pods')).toHaveLength(0);
    client.close();
    await timed.close();
  });
});
