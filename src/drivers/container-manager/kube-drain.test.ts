import { beforeEach, describe, expect, test } from 'vitest';
import { driverMemory } from '../../../test/harness/driver-memory.ts';
import { kubeLab } from '../../../test/harness/pretend-kubernetes/kube-lab.ts';
import type { PodOptions } from '../../../test/harness/pretend-kubernetes/pods.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { Secret } from '../../domain/secret.ts';
import { createKubeNodes } from './kube-nodes.ts';

const NODE = '127.0.0.1' as Address;
const WEB = { app: 'web' };
const fixture = kubeLab();

const drain = ({ force = false } = {}) =>
  createKubeNodes(fixture().api(), driverMemory()).drain(NODE, { force });
const pod = (name: string, options: Partial<PodOptions> = {}) =>
  fixture().server.pod(name, { node: 'node-1', ...options });
const remainingPods = () =>
  fixture()
    .server.objects('pods')
    .map(({ metadata }) => metadata.name)
    .sort();

/** Of all that serve the web, one has to stay. */
const budget = (name: string) =>
  fixture().make('/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets', {
    metadata: { name },
    spec: { minAvailable: 1, selector: { matchLabels: WEB } },
  });

beforeEach(() => {
  fixture().server.kubelet('node-1', { address: NODE });
  fixture().server.kubelet('node-2', { address: '127.0.0.2' });
});

describe('a drain', () => {
  test.each<[what: string, options: Partial<PodOptions>]>([
    ['the kubelet runs from a file', { isMirror: true, owner: { kind: 'Node' } }],
    ['belongs to a DaemonSet', { owner: { kind: 'DaemonSet' } }],
    ['has succeeded', { phase: 'Succeeded' }],
    ['has failed', { phase: 'Failed' }],
    ['has finished and nothing would run again', { phase: 'Succeeded', owner: null }],
    ['is on another node', { node: 'node-2' }],
  ])('leaves a pod alone that %s', async (_what, options) => {
    pod('stays', options);
    for (const force of [false, true]) expect(await drain({ force })).toEqual({ state: 'drained' });
    expect(remainingPods()).toEqual(['stays']);
  });

  test('is over when the pods are gone, not when they were asked to go', async () => {
    fixture().server.settings.termination = 'by test';
    pod('web');
    const draining = { state: 'draining', remaining: 1, detail: 'default/web' };
    for (const _ of ['asked', 'still there']) expect(await drain()).toEqual(draining);
    expect(
      fixture()
        .asked()
        .filter(line => line.includes('eviction')),
    ).toEqual([
      // What the server of that age does not know, and then what it does.
      'POST /api/v1/namespaces/default/pods/web/eviction 400',
      'POST /api/v1/namespaces/default/pods/web/eviction 201',
    ]);
    fixture().server.finishTermination('web');
    expect(await drain()).toEqual({ state: 'drained' });
  });

  test('waits for a budget, says so, and goes on once it allows', async () => {
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

  test('by force deletes what a budget keeps for good', async () => {
    await budget('keep-one');
    pod('web', { labels: WEB });
    expect(await drain({ force: true })).toMatchObject({ state: 'draining', remaining: 1 });
    expect(await drain({ force: true })).toEqual({ state: 'drained' });
  });

  test('is refused when a pod has two budgets, which no waiting helps; by force it goes', async () => {
    await Promise.all([budget('one'), budget('two')]);
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

  test('is refused before any pod is asked when nothing would run one again; by force it goes', async () => {
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

  test('only waits for a pod that is going already, even if nothing would run it again', async () => {
    fixture().server.settings.termination = 'by test';
    pod('bare', { owner: null });
    await drain({ force: true });
    fixture().server.requests.length = 0;
    expect(await drain()).toEqual({ state: 'draining', remaining: 1, detail: 'default/bare' });
    expect(
      fixture()
        .asked()
        .filter(line => line.startsWith('POST')),
    ).toEqual([]);
  });

  test('waits for pods of a node whose kubelet is not heard of', async () => {
    pod('web');
    fixture().server.notReady('node-1');
    for (const force of [false, true, true])
      expect(await drain({ force })).toMatchObject({ state: 'draining', remaining: 1 });
  });

  test.each([false, true])(
    'leaves a pod alone that has taken the name of another; by force: %s',
    async force => {
      pod('web');
      fixture().server.before({ method: 'POST', path: /eviction$/ }, () => {
        fixture().server.remove('pods', 'web', 'default');
        pod('web', { node: 'node-2' });
      });
      expect(await drain({ force })).toMatchObject({ state: 'draining' });
      expect(remainingPods()).toEqual(['web']);
      expect(await drain({ force })).toEqual({ state: 'drained' });
    },
  );

  test('does not mind a pod that goes by itself at that moment', async () => {
    pod('web');
    fixture().server.before({ method: 'POST', path: /eviction$/ }, () =>
      fixture().server.remove('pods', 'web', 'default'),
    );
    expect(await drain()).toMatchObject({ state: 'draining' });
    expect(await drain()).toEqual({ state: 'drained' });
  });

  test('asks many pods, a few at once', async () => {
    for (let number = 0; number < 60; number += 1) pod(`web-${number}`);
    const detail = expect.stringMatching(/^(default\/web-\d+, ){4}default\/web-\d+ and 55 more$/);
    expect(await drain()).toEqual({ state: 'draining', remaining: 60, detail });
    expect(await drain()).toEqual({ state: 'drained' });
  });

  describe('of which one pod is refused by a guard of its own', () => {
    const message = 'admission webhook "guard" denied the request';
    const refuse = (code: number) =>
      fixture().server.fault({
        match: { method: 'POST', path: '/api/v1/namespaces/default/pods/kept/eviction' },
        do: { status: code, body: { kind: 'Status', code, message: message } },
      });

    test.each([400, 403, 405, 418, 422])('with %d is refused, after the others were asked', async code => {
      for (const name of ['kept', 'web-1', 'web-2']) pod(name);
      refuse(code);
      expect(await drain()).toEqual({ state: 'refused', detail: `default/kept (${message})` });
      expect(remainingPods()).toEqual(['kept']);
    });

    test('by force deletes it', async () => {
      for (const name of ['kept', 'web']) pod(name);
      refuse(403);
      await drain({ force: true });
      expect(await drain()).toEqual({ state: 'drained' });
    });

    test.each([401, 408, 503])('fails as a whole with %d, which is not about the pod', async code => {
      pod('kept');
      refuse(code);
      await expect(drain({ force: true })).rejects.toThrow(`(${code})`);
      expect(remainingPods()).toEqual(['kept']);
    });
  });

  test('is refused to somebody who may not evict', async () => {
    pod('web');
    fixture().server.addToken('reader', {
      user: 'reader',
      rights: [{ verbs: ['get', 'list'], resources: ['*'] }],
    });
    const nodes = createKubeNodes(fixture().api({ token: new Secret('reader') }), driverMemory());
    expect(await nodes.drain(NODE, { force: false })).toEqual({
      state: 'refused',
      detail: expect.stringMatching(/"reader" cannot create resource "pods\/eviction"/),
    });
  });
});
