import { beforeEach, describe, expect, test } from 'vitest';
import { driverMemory } from '../../../test/harness/driver-contexts.ts';
import { kubernetesFixture } from '../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import type { PodOptions } from '../../../test/harness/fake-kubernetes/pods.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { Secret } from '../../domain/secret.ts';
import { createKubeNodes } from './kube-nodes.ts';

const NODE = '127.0.0.1' as Address;
const WEB = { app: 'web' };
const fixture = kubernetesFixture();

const drain = ({ force = false } = {}) =>
  createKubeNodes(fixture().createClient(), driverMemory()).drain(NODE, { force });
const pod = (name: string, options: Partial<PodOptions> = {}) =>
  fixture().server.pod(name, { node: 'node-1', ...options });
const remainingPods = () =>
  fixture()
    .server.objects('pods')
    .map(({ metadata }) => metadata.name)
    .sort();

/** At least one pod with the label WEB must stay available. */
const budget = (name: string) =>
  fixture().create('/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets', {
    metadata: { name },
    spec: { minAvailable: 1, selector: { matchLabels: WEB } },
  });

beforeEach(() => {
  fixture().server.kubelet('node-1', { address: NODE });
  fixture().server.kubelet('node-2', { address: '127.0.0.2' });
});

describe('kubeDrain', () => {
  test.each<[label: string, options: Partial<PodOptions>]>([
    ['is a static pod', { isMirror: true, owner: { kind: 'Node' } }],
    ['belongs to a DaemonSet', { owner: { kind: 'DaemonSet' } }],
    ['has succeeded', { phase: 'Succeeded' }],
    ['has failed', { phase: 'Failed' }],
    ['has finished without a controller', { phase: 'Succeeded', owner: null }],
    ['is on another node', { node: 'node-2' }],
  ])('does not evict a pod that %s', async (_label, options) => {
    pod('stays', options);
    for (const force of [false, true]) expect(await drain({ force })).toEqual({ state: 'drained' });
    expect(remainingPods()).toEqual(['stays']);
  });

  test('reports drained when the pods are gone, not when their eviction was accepted', async () => {
    fixture().server.settings.termination = 'by test';
    pod('web');
    const draining = { state: 'draining', remaining: 1, detail: 'default/web' };
    for (const _ of ['first pass', 'second pass']) expect(await drain()).toEqual(draining);
    expect(
      fixture()
        .requestLines()
        .filter(line => line.includes('eviction')),
    ).toEqual([
      // The server first rejects the newer API version.
      'POST /api/v1/namespaces/default/pods/web/eviction 400',
      'POST /api/v1/namespaces/default/pods/web/eviction 201',
    ]);
    fixture().server.finishTermination('web');
    expect(await drain()).toEqual({ state: 'drained' });
  });

  test('waits for a disruption budget, reports it, and continues once the budget allows it', async () => {
    await budget('keep-one');
    pod('web', { labels: WEB });
    for (const _ of ['once', 'twice'])
      expect(await drain()).toEqual({
        state: 'draining',
        remaining: 1,
        detail: 'default/web (The disruption budget keep-one needs 1 healthy pods and has 1 currently)',
      });
    pod('other', { node: 'node-2', labels: WEB });
    expect(await drain()).toMatchObject({ state: 'draining', detail: 'default/web' });
    expect(await drain()).toEqual({ state: 'drained' });
    expect(remainingPods()).toEqual(['other']);
  });

  test('deletes a pod with force if its budget blocks the eviction', async () => {
    await budget('keep-one');
    pod('web', { labels: WEB });
    expect(await drain({ force: true })).toMatchObject({ state: 'draining', remaining: 1 });
    expect(await drain({ force: true })).toEqual({ state: 'drained' });
  });

  test('is refused for a pod with two budgets unless forced', async () => {
    await Promise.all([budget('first'), budget('second')]);
    pod('web', { labels: WEB });
    pod('other', { node: 'node-2', labels: WEB });
    expect(await drain()).toEqual({
      state: 'refused',
      detail:
        'default/web (This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.)',
    });
    await drain({ force: true });
    expect(await drain()).toEqual({ state: 'drained' });
  });

  test('is refused for pods without a controller before any eviction, unless forced', async () => {
    pod('web');
    for (const number of [1, 2, 3, 4, 5, 6]) pod(`bare-${number}`, { owner: null });
    expect(await drain()).toEqual({
      state: 'refused',
      detail: `pods without a controller would not be recreated: ${[1, 2, 3, 4, 5].map(n => `default/bare-${n}`).join(', ')} and 1 more`,
    });
    expect(remainingPods()).toHaveLength(7);
    expect(await drain({ force: true })).toMatchObject({ state: 'draining', remaining: 7 });
    expect(await drain()).toEqual({ state: 'drained' });
  });

  test('waits for a terminating pod without a controller', async () => {
    fixture().server.settings.termination = 'by test';
    pod('bare', { owner: null });
    await drain({ force: true });
    fixture().server.requests.length = 0;
    expect(await drain()).toEqual({ state: 'draining', remaining: 1, detail: 'default/bare' });
    expect(
      fixture()
        .requestLines()
        .filter(line => line.startsWith('POST')),
    ).toEqual([]);
  });

  test('waits for the pods of a node that is not ready', async () => {
    pod('web');
    fixture().server.notReady('node-1');
    for (const force of [false, true, true])
      expect(await drain({ force })).toMatchObject({ state: 'draining', remaining: 1 });
  });

  test.each([false, true])('does not delete a new pod with the same name, with force %s', async force => {
    pod('web');
    fixture().server.before({ method: 'POST', path: /eviction$/ }, () => {
      fixture().server.remove('pods', 'web', 'default');
      pod('web', { node: 'node-2' });
    });
    expect(await drain({ force })).toMatchObject({ state: 'draining' });
    expect(remainingPods()).toEqual(['web']);
    expect(await drain({ force })).toEqual({ state: 'drained' });
  });

  test('accepts that a pod disappears before its eviction', async () => {
    pod('web');
    fixture().server.before({ method: 'POST', path: /eviction$/ }, () =>
      fixture().server.remove('pods', 'web', 'default'),
    );
    expect(await drain()).toMatchObject({ state: 'draining' });
    expect(await drain()).toEqual({ state: 'drained' });
  });

  test('evicts many pods with limited concurrency', async () => {
    for (let number = 0; number < 60; number += 1) pod(`web-${number}`);
    const detail = expect.stringMatching(/^(default\/web-\d+, ){4}default\/web-\d+ and 55 more$/);
    expect(await drain()).toEqual({ state: 'draining', remaining: 60, detail });
    expect(await drain()).toEqual({ state: 'drained' });
  });

  describe('with a pod whose eviction fails', () => {
    const message = 'admission webhook "guard" denied the request';
    const rejectEviction = (code: number) =>
      fixture().server.addFault({
        match: { method: 'POST', path: '/api/v1/namespaces/default/pods/kept/eviction' },
        do: { status: code, body: { kind: 'Status', code, message } },
      });

    test.each([400, 403, 405, 418, 422])('is refused for status %d after evicting the other pods', async code => {
      for (const name of ['kept', 'web-1', 'web-2']) pod(name);
      rejectEviction(code);
      expect(await drain()).toEqual({ state: 'refused', detail: `default/kept (${message})` });
      expect(remainingPods()).toEqual(['kept']);
    });

    test('deletes the pod if forced', async () => {
      for (const name of ['kept', 'web']) pod(name);
      rejectEviction(403);
      await drain({ force: true });
      expect(await drain()).toEqual({ state: 'drained' });
    });

    test.each([401, 408, 503])('throws for status %d, which does not concern the pod', async code => {
      pod('kept');
      rejectEviction(code);
      await expect(drain({ force: true })).rejects.toThrow(`(${code})`);
      expect(remainingPods()).toEqual(['kept']);
    });
  });

  test('is refused without permission to evict', async () => {
    pod('web');
    fixture().server.addToken('reader', {
      user: 'reader',
      permissions: [{ verbs: ['get', 'list'], resources: ['*'] }],
    });
    const nodes = createKubeNodes(fixture().createClient({ token: new Secret('reader') }), driverMemory());
    expect(await nodes.drain(NODE, { force: false })).toEqual({
      state: 'refused',
      detail: expect.stringMatching(/"reader" cannot create resource "pods\/eviction"/),
    });
  });
});
