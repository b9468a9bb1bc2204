import { describe, expect, test } from 'vitest';
import { containerManagerConforms } from '../../../../test/conformance/container-manager.ts';
import {
  kubernetesFixture,
  kubernetesManagerFixture,
} from '../../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { ContainerManager, ContainerManagerContext } from '../container-manager.ts';
import { kubernetes, openKubernetes } from './kubernetes.ts';

const NODE = '127.0.0.1' as Address;
const HOST = { address: NODE, hostname: 'Host-1' };
const fixture = kubernetesFixture();
const typedContext = () => {
  const { url, adminToken, caPath } = fixture().server;
  return { ...fixture().createContext(), options: { server_url: url, token: adminToken, ca_path: caPath } };
};

function open(context: ContainerManagerContext = fixture().createContext()): ContainerManager {
  return kubernetes.open(context);
}

const remainingTokens = () => fixture().server.objects('secrets').length;
containerManagerConforms('kubernetes', kubernetesManagerFixture(fixture, open));

describe('Kubernetes join', () => {
  test('returns the kubeadm arguments, with the token only in the input', async () => {
    const plan = await open().joinPlan(HOST);
    expect(plan).toMatchObject({
      requires: { programs: ['kubeadm', 'kubelet'], installHint: expect.stringMatching(/^install/) },
    });
    const [prepare, join] = plan?.commands ?? [];
    expect(prepare?.argv.slice(4)).toEqual([NODE, `127.0.0.1:${fixture().server.port}`, fixture().server.caHash]);
    expect(join?.argv.slice(4)).toEqual([fixture().server.url]);
    const token = prepare?.input?.reveal() ?? '';
    expect(token).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}\n$/);
    expect(JSON.stringify(plan)).not.toContain(token.slice(7, -1));
    expect((await open().joinPlan(HOST))?.commands[0]?.input?.reveal()).toBe(token);
  });

  test('completes when the kubelet has registered, and then revokes the token', async () => {
    const manager = open();
    await manager.joinPlan(HOST);
    expect(await manager.register(HOST)).toBe('the kubelet has not registered yet');
    expect(remainingTokens()).toBe(1);
    fixture().server.kubelet('host-1', { address: NODE });
    expect(await manager.register(HOST)).toBeUndefined();
    expect(remainingTokens()).toBe(0);
  });

  test('reports that the node has other addresses', async () => {
    fixture().server.kubelet('host-1', { address: '127.0.0.7' });
    expect(await open().register(HOST)).toBe('the node host-1 has other addresses: 127.0.0.7');
  });

  test('is rejected without creating a token while another host has the node name', async () => {
    fixture().server.kubelet('host-1', { address: '127.0.0.7' });
    await expect(open().joinPlan(HOST)).rejects.toThrow('the node host-1 has other addresses: 127.0.0.7');
    expect(remainingTokens()).toBe(0);
  });

  test('can be repeated after the kubelet has registered', async () => {
    fixture().server.kubelet('host-1', { address: NODE });
    expect(await open().joinPlan(HOST)).not.toBeNull();
  });

  test('leaves no token when it is aborted', async () => {
    const manager = open();
    await manager.joinPlan(HOST);
    await manager.remove(NODE);
    expect(remainingTokens()).toBe(0);
  });

  test('replaces a token that expires soon', async () => {
    const record = typedContext();
    const openAt = (now: number) => openKubernetes(record, { now: () => now });
    const first = await openAt(0).joinPlan(HOST);
    const second = await openAt(25 * 60_000).joinPlan(HOST);
    expect(second?.commands[0]?.input?.reveal()).not.toBe(first?.commands[0]?.input?.reveal());
    expect(remainingTokens()).toBe(1);
  });

  test('adopts only existing nodes if join is false', async () => {
    const manager = open(fixture().createContext({ join: false }));
    const message = `${NODE} is not a node of ${fixture().server.url}, and join is false: add the node yourself`;
    expect(await manager.joinPlan(HOST)).toBeNull();
    expect(await manager.register(HOST)).toContain(message);
    fixture().server.kubelet('host-1', { address: NODE });
    expect(await manager.register(HOST)).toBeUndefined();
    expect(await manager.leavePlan(HOST)).toBeNull();
    await manager.remove(NODE);
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
    expect(fixture().server.object('nodes', 'host-1')).toBeDefined();
    expect(
      fixture()
        .requestLines()
        .filter(line => line.includes('secrets')),
    ).toEqual([]);
  });
});

describe('Kubernetes leave plan', () => {
  test('contains the API server URL, also if the API is unavailable', async () => {
    const record = fixture().createContext();
    await open(record).joinPlan(HOST);
    fixture().server.addFault({ match: {}, do: 'cut_response' });
    const plan = await open(record).leavePlan(HOST);
    expect(plan).toEqual({
      commands: [{ argv: expect.arrayContaining([fixture().server.url]) }],
    });
    await expect(open().leavePlan(HOST)).rejects.toThrow(/does not respond/);
  });
});

describe('Kubernetes connection check', () => {
  test('names the missing permissions', async () => {
    fixture().server.addToken('reader', {
      user: 'reader',
      permissions: [{ verbs: ['get', 'list'], resources: ['nodes', 'pods'] }],
    });
    const { problems } = await open(fixture().createContext({ token: 'reader' })).checkConnection();
    const needed = 'patch nodes, create pods/eviction';
    expect(problems).toEqual([
      `${fixture().server.url} denies permission to ${needed}, delete nodes, get secrets in kube-system, create secrets in kube-system, delete secrets in kube-system`,
    ]);
    expect((await open(fixture().createContext({ token: 'reader', join: false })).checkConnection()).problems).toEqual([
      `${fixture().server.url} denies permission to ${needed}`,
    ]);
  });

  test('reports missing cluster-info only if join is enabled', async () => {
    const info = fixture().server.object('configmaps', 'cluster-info', 'kube-public');
    fixture().server.remove('configmaps', 'cluster-info', 'kube-public');
    const { problems } = await open().checkConnection();
    expect(problems).toEqual([expect.stringMatching(/has no cluster-info in kube-public/)]);
    expect((await open(fixture().createContext({ join: false })).checkConnection()).problems).toEqual([]);
    await fixture().create('/api/v1/namespaces/kube-public/configmaps', {
      metadata: { name: 'cluster-info' },
      data: info?.['data'],
    });
    expect(await open().checkConnection()).toEqual({ version: 'v1.20.2', problems: [] });
  });

  test('throws on a timeout or a rejected token', async () => {
    fixture().server.addFault({ match: {}, do: 'hang_response' });
    const withShortTimeout = openKubernetes(typedContext(), { timeoutMs: 100 });
    await expect(withShortTimeout.checkConnection()).rejects.toThrow(`${fixture().server.url} did not respond in time`);
    expect(await withShortTimeout.report(NODE)).toEqual({
      state: 'unavailable',
      reason: `${fixture().server.url} did not respond in time`,
    });
    fixture().server.clearFaults();
    await expect(open(fixture().createContext({ token: 'wrong' })).checkConnection()).rejects.toThrow(
      /rejected the token \(401\)/,
    );
  });
});
