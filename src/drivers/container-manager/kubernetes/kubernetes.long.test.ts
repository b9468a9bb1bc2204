// Tests the driver with a real kube-apiserver, because the simulated server could share a misunderstanding of the API
// with the driver.

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { containerManagerConforms } from '../../../../test/conformance/container-manager.ts';
import { driverMemory } from '../../../../test/harness/driver-contexts.ts';
import { toNodeName } from '../../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import {
  applyManifests,
  readAccountToken,
  readManifest,
} from '../../../../test/harness/kube-apiserver/documented-permissions.ts';
import type { KubeApiserver } from '../../../../test/harness/kube-apiserver/kube-apiserver.ts';
import {
  BUILD_MS,
  describeOnKubeApiserver,
  kubernetesPrograms,
} from '../../../../test/harness/kube-apiserver/kubernetes-programs.ts';
import { startKubeApiserver } from '../../../../test/harness/kube-apiserver/start-kube-apiserver.ts';
import { inOwnNamespaces, tryTool } from '../../../../test/harness/programs/run-tool.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';
import { Secret } from '../../../domain/secret.ts';
import { ConnectionPool } from '../../../integrations/http/connection-pool.ts';
import { createKubernetesClient } from '../../../integrations/kubernetes/kubernetes-client.ts';
import { kubeConnectionOptions } from '../kube-connection.ts';
import { WRITE_JOIN_CONFIG } from './kubeadm-scripts.ts';
import { openKubernetes } from './kubernetes.ts';

const NODE = '127.0.0.1' as Address;
const HOST = { address: NODE, hostname: 'host-1' };
const NODES = '/api/v1/nodes';
const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };

describeOnKubeApiserver('Kubernetes driver with a real kube-apiserver', () => {
  let server: KubeApiserver;
  /** Token of the service account from the guide, so missing permissions fail here. */
  let token: string;
  const connections = new ConnectionPool();

  beforeAll(async () => {
    server = await startKubeApiserver({ controllers: true });
    await applyManifests(server, readManifest('rights.yaml'));
    token = await readAccountToken(server);
  }, BUILD_MS);
  afterAll(async () => {
    await connections.close();
    await server?.stop();
  });

  const record = (options: object = {}) => ({
    options: { server_url: server.url, token, ca_path: server.caPath, ...options },
    memory: driverMemory(),
    connections,
    name: 'nodes',
    mayProceed: () => true,
  });

  async function send(method: string, target: string, body?: unknown): Promise<void> {
    const headers = method === 'PATCH' ? MERGE_PATCH : {};
    const response = await server.request(target, { method, body, headers });
    if (response.status >= 300) throw new Error(JSON.stringify(response));
  }

  /** Registers a node as a kubelet does. */
  async function kubelet(address: string): Promise<void> {
    const name = toNodeName(address);
    // Servers of this version do not record field managers for objects that are created empty.
    await send('POST', NODES, { metadata: { name, labels: { 'kubernetes.io/hostname': name } } });
    await send('PATCH', `${NODES}/${name}/status`, {
      status: {
        addresses: [{ type: 'InternalIP', address }],
        conditions: [{ type: 'Ready', status: 'True' }],
        nodeInfo: { bootID: 'boot-1' },
      },
    });
  }

  /** Deletes all nodes first. */
  async function openEmpty() {
    for (const target of [PODS, BUDGETS]) await send('DELETE', target, { gracePeriodSeconds: 0 });
    await send('DELETE', NODES);
    return openKubernetes(record());
  }

  containerManagerConforms('kubernetes', {
    open: openEmpty,
    join: (_manager, address) => kubelet(address),
    cordonByHand: (_manager, address) =>
      send('PATCH', `${NODES}/${toNodeName(address)}`, { spec: { unschedulable: true } }),
  });

  test('does not remove a cordon that others made after they removed the Hostler cordon', async () => {
    const manager = await openEmpty();
    await kubelet(NODE);
    const setUnschedulable = (unschedulable: true | null) =>
      send('PATCH', `${NODES}/${toNodeName(NODE)}`, { spec: { unschedulable } });
    expect(await manager.cordon(NODE, cordonOwner('old', 1))).toBe('cordoned');
    expect(await manager.cordon(NODE, cordonOwner('old', 2))).toBe('cordoned');
    expect(await manager.report(NODE)).toMatchObject({ cordonedBy: cordonOwner('old', 2) });
    await setUnschedulable(null);
    await setUnschedulable(true);
    expect(await manager.report(NODE)).toMatchObject({ schedulable: false, cordonedBy: '' });
    expect(await manager.uncordon(NODE, cordonOwner('old', 2))).toBe('not_owner');
    expect(await manager.cordon(NODE, cordonOwner('new', 1))).toBe('cordoned_by_other');
    expect(await manager.report(NODE)).toMatchObject({ schedulable: false, cordonedBy: '' });
    await setUnschedulable(null);
    expect(await manager.cordon(NODE, cordonOwner('new', 1))).toBe('cordoned');
    expect(await manager.uncordon(NODE, cordonOwner('new', 1))).toBe('uncordoned');
  });

  describe('drain', () => {
    const pod = async (name: string, metadata: object = {}, spec: object = {}) => {
      const containers = [{ name: 'main', image: 'none' }];
      const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid: 'set', controller: true };
      await send('POST', PODS, {
        metadata: { name, labels: { app: 'web' }, ownerReferences: [owner], ...metadata },
        spec: { nodeName: toNodeName(NODE), containers, terminationGracePeriodSeconds: 0, ...spec },
      });
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
      await send('PATCH', `${PODS}/${name}/status`, { status });
    };
    const budget = (name: string, minAvailable: number) =>
      send('POST', BUDGETS, {
        metadata: { name },
        spec: { minAvailable, selector: { matchLabels: { app: 'web' } } },
      });
    const openWithNode = async () => {
      const manager = await openEmpty();
      await kubelet(NODE);
      return manager;
    };

    test('completes when the pods are gone, and respects budgets unless forced', async () => {
      const manager = await openWithNode();
      await pod('web');
      await budget('keep-one', 1);
      await waitUntil('budget status update', async () => {
        const report = await manager.drain(NODE, { force: false });
        return report.state === 'draining' && report.detail.includes('needs 1 healthy pods and has 1 currently');
      });
      expect(await manager.drain(NODE, { force: true })).toMatchObject({ state: 'draining', remaining: 1 });
      expect(await manager.drain(NODE, { force: false })).toEqual({ state: 'drained' });
    });

    test('waits for a pod with a long grace period', async () => {
      const manager = await openWithNode();
      await pod('slow', {}, { terminationGracePeriodSeconds: 30 });
      for (const _ of ['first pass', 'second pass'])
        expect(await manager.drain(NODE, { force: false })).toMatchObject({
          state: 'draining',
          remaining: 1,
        });
      await send('DELETE', `${PODS}/slow`, { gracePeriodSeconds: 0 });
      expect(await manager.drain(NODE, { force: false })).toEqual({ state: 'drained' });
    });

    test('is refused for a pod with two budgets and for pods without a controller', async () => {
      const manager = await openWithNode();
      await pod('web');
      await Promise.all([budget('first', 0), budget('second', 0)]);
      await waitUntil('both budgets in effect', async () => {
        const report = await manager.drain(NODE, { force: false });
        return report.state === 'refused' && /more than one PodDisruptionBudget/.test(report.detail);
      });
      await pod('bare', { labels: {}, ownerReferences: [] });
      expect(await manager.drain(NODE, { force: false })).toEqual({
        state: 'refused',
        detail: 'pods without a controller would not be recreated: default/bare',
      });
    });
  });

  test('authenticates a host with its bootstrap token until the host is registered', async () => {
    const manager = await openEmpty();
    const plan = await manager.joinPlan(HOST);
    const token = new Secret(plan?.commands[0]?.input?.reveal().trim() ?? '');
    const asHost = createKubernetesClient({ ...kubeConnectionOptions(record()), token });
    const permission = {
      verb: 'create',
      group: 'certificates.k8s.io',
      resource: 'certificatesigningrequests',
    } as const;
    await waitUntil('token accepted', async () => asHost.hasPermission(permission).catch(() => false));
    await expect(asHost.nodes.list()).rejects.toThrow(/denied permission to list nodes \(403\)/);
    await kubelet(NODE);
    expect(await manager.register(HOST)).toBeUndefined();
    await waitUntil('token revoked', async () =>
      asHost.version().then(
        () => false,
        error => /\(401\)/.test(String(error)),
      ),
    );
  });

  test('writes a join configuration that a real kubeadm accepts', async () => {
    const manager = await openEmpty();
    const [prepare] = (await manager.joinPlan(HOST))?.commands ?? [];
    const { kubeadm } = await kubernetesPrograms();
    const check = `mount -t tmpfs none /run && sh -c "$@" || exit
kubeadm join phase preflight --config /run/hostler-join/kubeadm.yaml --ignore-preflight-errors=all -v=1`;
    const argv = ['sh', '-c', check, 'sh', WRITE_JOIN_CONFIG, ...(prepare?.argv.slice(3) ?? [])] as const;
    const { stderr, stdout } = await tryTool(inOwnNamespaces(argv), {
      input: prepare?.input?.reveal() ?? '',
      env: { PATH: `${path.dirname(kubeadm)}:${process.env['PATH']}` },
    });
    // Later phases need a control plane that kubeadm has created.
    expect(`${stdout}${stderr}`).toContain(
      'signature and contents are valid and TLS certificate validates against pinned roots',
    );
  });

  test('has all required permissions with the documented role', async () => {
    expect((await openKubernetes(record()).checkConnection()).problems).toEqual([]);
  });

  test('reports missing permissions and a rejected token', async () => {
    const { problems } = await openKubernetes(record({ token: server.unprivilegedToken })).checkConnection();
    expect(problems[0]).toMatch(
      /denies permission to list nodes, get nodes, patch nodes, .*create secrets in kube-system/,
    );
    await expect(openKubernetes(record({ token: 'wrong' })).checkConnection()).rejects.toThrow(
      /rejected the token \(401\)/,
    );
  });

  test('reports changes to a watch', async () => {
    await openEmpty();
    const stop = new AbortController();
    let eventCount = 0;
    const watch = createKubernetesClient(kubeConnectionOptions(record({ token: server.adminToken }))).watchNodes(() => {
      eventCount += 1;
    }, stop.signal);
    await waitUntil('watch started', () => eventCount === 1);
    await kubelet(NODE);
    await waitUntil('watch event', () => eventCount > 1);
    stop.abort();
    expect(await watch).toBe('ended');
  });
});
