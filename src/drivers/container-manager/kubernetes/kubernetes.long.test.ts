// The driver on a real kube-apiserver, so that a misreading of the API cannot sit in the driver and in the server of its other tests.

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driverMemory } from '../../../../test/harness/driver-memory.ts';
import { containedWithUs, tryTool } from '../../../../test/harness/hosts/run-tool.ts';
import { describeOnKubeApiserver } from '../../../../test/harness/kube-apiserver/describe-on-kube-apiserver.ts';
import {
  applyRights,
  documentedRights,
  tokenOfAccount,
} from '../../../../test/harness/kube-apiserver/documented-rights.ts';
import type { KubeApiserver } from '../../../../test/harness/kube-apiserver/kube-apiserver.ts';
import { BUILD_MS, kubernetesPrograms } from '../../../../test/harness/kube-apiserver/kubernetes-programs.ts';
import { startKubeApiserver } from '../../../../test/harness/kube-apiserver/start-kube-apiserver.ts';
import { nodeNameOf } from '../../../../test/harness/pretend-kubernetes/kube-lab.ts';
import { until } from '../../../../test/harness/until.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';
import { Secret } from '../../../domain/secret.ts';
import { ConnectionPool } from '../../../integrations/http/connection-pool.ts';
import { createKubernetesClient } from '../../../integrations/kubernetes/kubernetes-client.ts';
import { containerManagerConforms } from '../conformance.ts';
import { kubeConnectionOptions } from '../kube-connection.ts';
import { WRITE_JOIN_CONFIG } from './kubeadm-scripts.ts';
import { openKubernetes } from './kubernetes.ts';

const NODE = '127.0.0.1' as Address;
const HOST = { address: NODE, hostname: 'host-1' };
const NODES = '/api/v1/nodes';
const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };

describeOnKubeApiserver('Kubernetes, on a real kube-apiserver', () => {
  let server: KubeApiserver;
  /** Of the account that the guide has people make: what is not allowed there fails here. */
  let token: string;
  const connections = new ConnectionPool();

  beforeAll(async () => {
    server = await startKubeApiserver({ controllers: true });
    await applyRights(server, documentedRights('rights.yaml'));
    token = await tokenOfAccount(server);
  }, BUILD_MS);
  afterAll(async () => {
    await connections.close();
    await server?.stop();
  }, 60_000);

  const record = (options: object = {}) => ({
    options: { server_url: server.url, token, ca_path: server.caPath, ...options },
    memory: driverMemory(),
    connections,
    name: 'nodes',
    mayProceed: () => true,
  });

  async function send(method: string, target: string, body?: unknown): Promise<void> {
    const headers = method === 'PATCH' ? MERGE_PATCH : {};
    const answer = await server.request(target, { method, body, headers });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer));
  }

  /** What a kubelet does when it turns up. */
  async function kubelet(address: string): Promise<void> {
    const name = nodeNameOf(address);
    // Of an object that is made with nothing in it, servers of that age do not keep who writes what.
    await send('POST', NODES, { metadata: { name, labels: { 'kubernetes.io/hostname': name } } });
    await send('PATCH', `${NODES}/${name}/status`, {
      status: {
        addresses: [{ type: 'InternalIP', address }],
        conditions: [{ type: 'Ready', status: 'True' }],
        nodeInfo: { bootID: 'one' },
      },
    });
  }

  /** A driver on a server without nodes. */
  async function openEmpty() {
    for (const target of [PODS, BUDGETS]) await send('DELETE', target, { gracePeriodSeconds: 0 });
    await send('DELETE', NODES);
    return openKubernetes(record());
  }

  containerManagerConforms('kubernetes', {
    open: openEmpty,
    join: (_manager, address) => kubelet(address),
    cordonByHand: (_manager, address) =>
      send('PATCH', `${NODES}/${nodeNameOf(address)}`, { spec: { unschedulable: true } }),
  });

  test('leaves a cordon alone that people have made after they undid ours', async () => {
    const manager = await openEmpty();
    await kubelet(NODE);
    const byHand = (unschedulable: true | null) =>
      send('PATCH', `${NODES}/${nodeNameOf(NODE)}`, { spec: { unschedulable } });
    expect(await manager.cordon(NODE, cordonOwner('old', 1))).toBe('cordoned');
    expect(await manager.cordon(NODE, cordonOwner('old', 2))).toBe('cordoned');
    expect(await manager.report(NODE)).toMatchObject({ cordonedBy: cordonOwner('old', 2) });
    await byHand(null);
    await byHand(true);
    expect(await manager.report(NODE)).toMatchObject({ schedulable: false, cordonedBy: '' });
    expect(await manager.uncordon(NODE, cordonOwner('old', 2))).toBe('not_owner');
    expect(await manager.cordon(NODE, cordonOwner('new', 1))).toBe('cordoned_by_other');
    expect(await manager.report(NODE)).toMatchObject({ schedulable: false, cordonedBy: '' });
    await byHand(null);
    expect(await manager.cordon(NODE, cordonOwner('new', 1))).toBe('cordoned');
    expect(await manager.uncordon(NODE, cordonOwner('new', 1))).toBe('uncordoned');
  });

  describe('a drain', () => {
    const pod = async (name: string, metadata: object = {}, spec: object = {}) => {
      const containers = [{ name: 'main', image: 'none' }];
      const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid: 'set', controller: true };
      await send('POST', PODS, {
        metadata: { name, labels: { app: 'web' }, ownerReferences: [owner], ...metadata },
        spec: { nodeName: nodeNameOf(NODE), containers, terminationGracePeriodSeconds: 0, ...spec },
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

    test('is over when the pods are gone, and respects budgets until it is forced', async () => {
      const manager = await openWithNode();
      await pod('web');
      await budget('keep-one', 1);
      await until('the budget is counted', async () => {
        const report = await manager.drain(NODE, { force: false });
        return (
          report.state === 'draining' && report.detail.includes('needs 1 healthy pods and has 1 currently')
        );
      });
      expect(await manager.drain(NODE, { force: true })).toMatchObject({ state: 'draining', remaining: 1 });
      expect(await manager.drain(NODE, { force: false })).toEqual({ state: 'drained' });
    });

    test('waits for a pod that takes its time', async () => {
      const manager = await openWithNode();
      await pod('slow', {}, { terminationGracePeriodSeconds: 30 });
      for (const _ of ['asked', 'still there'])
        expect(await manager.drain(NODE, { force: false })).toMatchObject({
          state: 'draining',
          remaining: 1,
        });
      await send('DELETE', `${PODS}/slow`, { gracePeriodSeconds: 0 });
      expect(await manager.drain(NODE, { force: false })).toEqual({ state: 'drained' });
    });

    test('is refused by two budgets, and by pods that nothing would run again', async () => {
      const manager = await openWithNode();
      await pod('web');
      await Promise.all([budget('one', 0), budget('two', 0)]);
      await until('both budgets are known', async () => {
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

  test('is let in by the token of a host, as far as a host may, until the token is gone', async () => {
    const manager = await openEmpty();
    const plan = await manager.joinPlan(HOST);
    const token = new Secret(plan?.commands[0]?.input?.reveal().trim() ?? '');
    const asHost = createKubernetesClient({ ...kubeConnectionOptions(record()), token });
    const right = {
      verb: 'create',
      group: 'certificates.k8s.io',
      resource: 'certificatesigningrequests',
    } as const;
    await until('the token is known', async () => asHost.hasPermission(right).catch(() => false));
    await expect(asHost.nodes.list()).rejects.toThrow(/denied permission to list nodes \(403\)/);
    await kubelet(NODE);
    expect(await manager.register(HOST)).toBeUndefined();
    await until('it is known no more', async () =>
      asHost.version().then(
        () => false,
        error => /\(401\)/.test(String(error)),
      ),
    );
  });

  test('is found by a real kubeadm, by the configuration that the host is given', async () => {
    const manager = await openEmpty();
    const [prepare] = (await manager.joinPlan(HOST))?.commands ?? [];
    const { kubeadm } = await kubernetesPrograms();
    const check = `mount -t tmpfs none /run && sh -c "$@" || exit
kubeadm join phase preflight --config /run/hostler-join/kubeadm.yaml --ignore-preflight-errors=all -v=1`;
    const argv = ['sh', '-c', check, 'sh', WRITE_JOIN_CONFIG, ...(prepare?.argv.slice(3) ?? [])] as const;
    const { stderr, stdout } = await tryTool(containedWithUs(argv), {
      input: prepare?.input?.reveal() ?? '',
      env: { PATH: `${path.dirname(kubeadm)}:${process.env['PATH']}` },
    });
    // What comes after needs a control plane that kubeadm has made.
    expect(`${stdout}${stderr}`).toContain(
      'signature and contents are valid and TLS certificate validates against pinned roots',
    );
  });

  test('has all the rights that it asks for', async () => {
    expect((await openKubernetes(record()).checkConnection()).problems).toEqual([]);
  });

  test('says who is not let in', async () => {
    const { problems } = await openKubernetes(record({ token: server.powerlessToken })).checkConnection();
    expect(problems[0]).toMatch(
      /denies permission to list nodes, get nodes, patch nodes, .*create secrets in kube-system/,
    );
    await expect(openKubernetes(record({ token: 'wrong' })).checkConnection()).rejects.toThrow(
      /rejected the token \(401\)/,
    );
  });

  test('tells a watch what has changed', async () => {
    await openEmpty();
    const stop = new AbortController();
    let news = 0;
    const watch = createKubernetesClient(
      kubeConnectionOptions(record({ token: server.adminToken })),
    ).watchNodes(() => {
      news += 1;
    }, stop.signal);
    await until('the watch is on', () => news === 1);
    await kubelet(NODE);
    await until('news', () => news > 1);
    stop.abort();
    expect(await watch).toBe('ended');
  });
});
