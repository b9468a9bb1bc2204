import { describe, expect, test } from 'vitest';
import { kubeLab, kubeManagerLab } from '../../../../test/harness/pretend-kubernetes/kube-lab.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { containerManagerConforms } from '../conformance.ts';
import type { ContainerManager, ContainerManagerRecord } from '../container-manager.ts';
import { kubernetes, openKubernetes } from './kubernetes.ts';

const NODE = '127.0.0.1' as Address;
const HOST = { address: NODE, hostname: 'Host-1' };
const lab = kubeLab();

function open(record: ContainerManagerRecord = lab().record()): ContainerManager {
  return kubernetes.open(record);
}

const tokensLeft = () => lab().server.objects('secrets').length;
containerManagerConforms('kubernetes', kubeManagerLab(lab, open));

describe('joining Kubernetes', () => {
  test('takes what kubeadm needs: a token that only its input has, and where to find the cluster', async () => {
    const task = await open().joinTask(HOST);
    expect(task).toMatchObject({ needs: ['kubeadm', 'kubelet'], hint: expect.stringMatching(/^install/) });
    const [prepare, join] = task?.commands ?? [];
    expect(prepare?.argv.slice(4)).toEqual([NODE, `127.0.0.1:${lab().server.port}`, lab().server.caHash]);
    expect(join?.argv.slice(4)).toEqual([lab().server.url]);
    const token = prepare?.input?.reveal() ?? '';
    expect(token).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}\n$/);
    expect(JSON.stringify(task)).not.toContain(token.slice(7, -1));
    expect((await open().joinTask(HOST))?.commands[0]?.input?.reveal()).toBe(token);
  });

  test('is over when the kubelet has turned up; then the token is gone', async () => {
    const manager = open();
    await manager.joinTask(HOST);
    expect(await manager.register(HOST)).toBe('the kubelet has not registered yet');
    expect(tokensLeft()).toBe(1);
    lab().server.kubelet('host-1', { address: NODE });
    expect(await manager.register(HOST)).toBeUndefined();
    expect(tokensLeft()).toBe(0);
  });

  test('says when the node is there under other addresses', async () => {
    lab().server.kubelet('host-1', { address: '127.0.0.7' });
    expect(await open().register(HOST)).toBe('the node host-1 has other addresses: 127.0.0.7');
  });

  test('is not begun, and no token made, while another host has the name', async () => {
    lab().server.kubelet('host-1', { address: '127.0.0.7' });
    await expect(open().joinTask(HOST)).rejects.toThrow('the node host-1 has other addresses: 127.0.0.7');
    expect(tokensLeft()).toBe(0);
  });

  test('may be begun again once the kubelet has turned up', async () => {
    lab().server.kubelet('host-1', { address: NODE });
    expect(await open().joinTask(HOST)).not.toBeNull();
  });

  test('that is given up leaves no token', async () => {
    const manager = open();
    await manager.joinTask(HOST);
    await manager.remove(NODE);
    expect(tokensLeft()).toBe(0);
  });

  test('by a token that is too old uses a new one', async () => {
    const record = lab().record();
    const at = (now: number) => openKubernetes(record, { now: () => now });
    const first = await at(0).joinTask(HOST);
    const second = await at(25 * 60_000).joinTask(HOST);
    expect(second?.commands[0]?.input?.reveal()).not.toBe(first?.commands[0]?.input?.reveal());
    expect(tokensLeft()).toBe(1);
  });

  test('is not done for hosts that have to be nodes already', async () => {
    const manager = open(lab().record({ join: false }));
    const why = `${NODE} is not a node of ${lab().server.url}, and join is false: add the node yourself`;
    expect(await manager.joinTask(HOST)).toBeNull();
    expect(await manager.register(HOST)).toContain(why);
    lab().server.kubelet('host-1', { address: NODE });
    expect(await manager.register(HOST)).toBeUndefined();
    expect(await manager.leaveTask(HOST)).toBeNull();
    await manager.remove(NODE);
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
    expect(lab().server.object('nodes', 'host-1')).toBeDefined();
    expect(
      lab()
        .asked()
        .filter(line => line.includes('secrets')),
    ).toEqual([]);
  });
});

describe('leaving Kubernetes', () => {
  test('names the cluster that is left, also when its API is away by then', async () => {
    const record = lab().record();
    await open(record).joinTask(HOST);
    lab().server.fault({ match: {}, do: 'reset' });
    const task = await open(record).leaveTask(HOST);
    expect(task).toMatchObject({
      needs: [],
      commands: [{ argv: expect.arrayContaining([lab().server.url]) }],
    });
    await expect(open().leaveTask(HOST)).rejects.toThrow(/does not respond/);
  });
});

describe('the check of Kubernetes', () => {
  test('says which rights are missing, in words', async () => {
    lab().server.addToken('reader', {
      user: 'reader',
      rights: [{ verbs: ['get', 'list'], resources: ['nodes', 'pods'] }],
    });
    const { problems } = await open(lab().record({ token: 'reader' })).check();
    const needed = 'patch nodes, create pods/eviction';
    expect(problems).toEqual([
      `${lab().server.url} denies permission to ${needed}, delete nodes, get secrets in kube-system, create secrets in kube-system, delete secrets in kube-system`,
    ]);
    expect((await open(lab().record({ token: 'reader', join: false })).check()).problems).toEqual([
      `${lab().server.url} denies permission to ${needed}`,
    ]);
  });

  test('misses cluster-info only where hosts are to be joined', async () => {
    const info = lab().server.object('configmaps', 'cluster-info', 'kube-public');
    lab().server.remove('configmaps', 'cluster-info', 'kube-public');
    const { problems } = await open().check();
    expect(problems).toEqual([expect.stringMatching(/has no cluster-info in kube-public/)]);
    expect((await open(lab().record({ join: false })).check()).problems).toEqual([]);
    await lab().make('/api/v1/namespaces/kube-public/configmaps', {
      metadata: { name: 'cluster-info' },
      data: info?.['data'],
    });
    expect(await open().check()).toEqual({ version: 'v1.20.2', problems: [] });
  });

  test('throws when nobody answers, or not us', async () => {
    lab().server.fault({ match: {}, do: 'hang' });
    const hurried = openKubernetes(lab().record(), { timeoutMs: 100 });
    await expect(hurried.check()).rejects.toThrow(`${lab().server.url} did not respond in time`);
    expect(await hurried.report(NODE)).toEqual({
      state: 'unavailable',
      reason: `${lab().server.url} did not respond in time`,
    });
    lab().server.mend();
    await expect(open(lab().record({ token: 'wrong' })).check()).rejects.toThrow(
      /rejected the token \(401\)/,
    );
  });
});
