import { describe, expect, test } from 'vitest';
import { kubeLab, kubeManagerLab } from '../../../../test/harness/pretend-kubernetes/kube-lab.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { containerManagerConforms } from '../conformance.ts';
import type { ContainerManager, ContainerManagerContext } from '../container-manager.ts';
import { kubernetes, openKubernetes } from './kubernetes.ts';

const NODE = '127.0.0.1' as Address;
const HOST = { address: NODE, hostname: 'Host-1' };
const fixture = kubeLab();

function open(context: ContainerManagerContext = fixture().record()): ContainerManager {
  return kubernetes.open(context);
}

const remainingTokens = () => fixture().server.objects('secrets').length;
containerManagerConforms('kubernetes', kubeManagerLab(fixture, open));

describe('joining Kubernetes', () => {
  test('takes what kubeadm needs: a token that only its input has, and where to find the cluster', async () => {
    const plan = await open().joinPlan(HOST);
    expect(plan).toMatchObject({
      requiredPrograms: ['kubeadm', 'kubelet'],
      installHint: expect.stringMatching(/^install/),
    });
    const [prepare, join] = plan?.commands ?? [];
    expect(prepare?.argv.slice(4)).toEqual([
      NODE,
      `127.0.0.1:${fixture().server.port}`,
      fixture().server.caHash,
    ]);
    expect(join?.argv.slice(4)).toEqual([fixture().server.url]);
    const token = prepare?.input?.reveal() ?? '';
    expect(token).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}\n$/);
    expect(JSON.stringify(plan)).not.toContain(token.slice(7, -1));
    expect((await open().joinPlan(HOST))?.commands[0]?.input?.reveal()).toBe(token);
  });

  test('is over when the kubelet has turned up; then the token is gone', async () => {
    const manager = open();
    await manager.joinPlan(HOST);
    expect(await manager.register(HOST)).toBe('the kubelet has not registered yet');
    expect(remainingTokens()).toBe(1);
    fixture().server.kubelet('host-1', { address: NODE });
    expect(await manager.register(HOST)).toBeUndefined();
    expect(remainingTokens()).toBe(0);
  });

  test('says when the node is there under other addresses', async () => {
    fixture().server.kubelet('host-1', { address: '127.0.0.7' });
    expect(await open().register(HOST)).toBe('the node host-1 has other addresses: 127.0.0.7');
  });

  test('is not begun, and no token made, while another host has the name', async () => {
    fixture().server.kubelet('host-1', { address: '127.0.0.7' });
    await expect(open().joinPlan(HOST)).rejects.toThrow('the node host-1 has other addresses: 127.0.0.7');
    expect(remainingTokens()).toBe(0);
  });

  test('may be begun again once the kubelet has turned up', async () => {
    fixture().server.kubelet('host-1', { address: NODE });
    expect(await open().joinPlan(HOST)).not.toBeNull();
  });

  test('that is given up leaves no token', async () => {
    const manager = open();
    await manager.joinPlan(HOST);
    await manager.remove(NODE);
    expect(remainingTokens()).toBe(0);
  });

  test('by a token that is too old uses a new one', async () => {
    const record = fixture().record();
    const at = (now: number) => openKubernetes(record, { now: () => now });
    const first = await at(0).joinPlan(HOST);
    const second = await at(25 * 60_000).joinPlan(HOST);
    expect(second?.commands[0]?.input?.reveal()).not.toBe(first?.commands[0]?.input?.reveal());
    expect(remainingTokens()).toBe(1);
  });

  test('is not done for hosts that have to be nodes already', async () => {
    const manager = open(fixture().record({ join: false }));
    const why = `${NODE} is not a node of ${fixture().server.url}, and join is false: add the node yourself`;
    expect(await manager.joinPlan(HOST)).toBeNull();
    expect(await manager.register(HOST)).toContain(why);
    fixture().server.kubelet('host-1', { address: NODE });
    expect(await manager.register(HOST)).toBeUndefined();
    expect(await manager.leavePlan(HOST)).toBeNull();
    await manager.remove(NODE);
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
    expect(fixture().server.object('nodes', 'host-1')).toBeDefined();
    expect(
      fixture()
        .asked()
        .filter(line => line.includes('secrets')),
    ).toEqual([]);
  });
});

describe('leaving Kubernetes', () => {
  test('names the cluster that is left, also when its API is away by then', async () => {
    const record = fixture().record();
    await open(record).joinPlan(HOST);
    fixture().server.fault({ match: {}, do: 'reset' });
    const plan = await open(record).leavePlan(HOST);
    expect(plan).toMatchObject({
      requiredPrograms: [],
      commands: [{ argv: expect.arrayContaining([fixture().server.url]) }],
    });
    await expect(open().leavePlan(HOST)).rejects.toThrow(/does not respond/);
  });
});

describe('the check of Kubernetes', () => {
  test('says which rights are missing, in words', async () => {
    fixture().server.addToken('reader', {
      user: 'reader',
      rights: [{ verbs: ['get', 'list'], resources: ['nodes', 'pods'] }],
    });
    const { problems } = await open(fixture().record({ token: 'reader' })).checkConnection();
    const needed = 'patch nodes, create pods/eviction';
    expect(problems).toEqual([
      `${fixture().server.url} denies permission to ${needed}, delete nodes, get secrets in kube-system, create secrets in kube-system, delete secrets in kube-system`,
    ]);
    expect(
      (await open(fixture().record({ token: 'reader', join: false })).checkConnection()).problems,
    ).toEqual([`${fixture().server.url} denies permission to ${needed}`]);
  });

  test('misses cluster-info only where hosts are to be joined', async () => {
    const info = fixture().server.object('configmaps', 'cluster-info', 'kube-public');
    fixture().server.remove('configmaps', 'cluster-info', 'kube-public');
    const { problems } = await open().checkConnection();
    expect(problems).toEqual([expect.stringMatching(/has no cluster-info in kube-public/)]);
    expect((await open(fixture().record({ join: false })).checkConnection()).problems).toEqual([]);
    await fixture().make('/api/v1/namespaces/kube-public/configmaps', {
      metadata: { name: 'cluster-info' },
      data: info?.['data'],
    });
    expect(await open().checkConnection()).toEqual({ version: 'v1.20.2', problems: [] });
  });

  test('throws when nobody answers, or not us', async () => {
    fixture().server.fault({ match: {}, do: 'hang' });
    const withShortTimeout = openKubernetes(fixture().record(), { timeoutMs: 100 });
    await expect(withShortTimeout.checkConnection()).rejects.toThrow(
      `${fixture().server.url} did not respond in time`,
    );
    expect(await withShortTimeout.report(NODE)).toEqual({
      state: 'unavailable',
      reason: `${fixture().server.url} did not respond in time`,
    });
    fixture().server.mend();
    await expect(open(fixture().record({ token: 'wrong' })).checkConnection()).rejects.toThrow(
      /rejected the token \(401\)/,
    );
  });
});
