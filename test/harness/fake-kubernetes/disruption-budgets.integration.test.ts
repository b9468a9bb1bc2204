import { describe, expect, test } from 'vitest';
import { serverFixture } from './kubernetes-fixtures.ts';
import type { Fields } from './objects.ts';
import { at, fieldsAt } from './objects.ts';

const BUDGETS = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';

const { server, admin, evict } = serverFixture();

describe('disruption budgets of the fake Kubernetes API', () => {
  const createBudget = (spec: Fields) =>
    admin().request('POST', BUDGETS, {
      metadata: { name: 'guard' },
      spec: { selector: { matchLabels: { app: 'a' } }, ...spec },
    });
  const allowed = () => at(server().object('poddisruptionbudgets', 'guard', 'default'), 'status', 'disruptionsAllowed');

  test.each<[string, Fields, number, number]>([
    ['minAvailable 2 of 3', { minAvailable: 2 }, 3, 1],
    ['minAvailable 3 of 3', { minAvailable: 3 }, 3, 0],
    ['minAvailable 50% of 3', { minAvailable: '50%' }, 3, 1],
    ['maxUnavailable 1 of 3', { maxUnavailable: 1 }, 3, 1],
    ['maxUnavailable 0 of 3', { maxUnavailable: 0 }, 3, 0],
    ['minAvailable 0 of none', { minAvailable: 0 }, 0, 0],
  ])('compute the allowed disruptions with %s', async (_case, spec, pods, disruptions) => {
    await createBudget(spec);
    for (let index = 0; index < pods; index += 1) {
      server().pod(`p${index}`, { node: 'n1', labels: { app: 'a' } });
    }
    expect(allowed()).toBe(disruptions);
  });

  test('keep a status that a test has written', async () => {
    await createBudget({ minAvailable: 1 });
    server().pod('p1', { node: 'n1', labels: { app: 'a' } });
    server().change(
      'poddisruptionbudgets',
      'guard',
      budget => {
        budget['status'] = { ...fieldsAt(budget, 'status'), disruptionsAllowed: 1 };
      },
      'default',
    );
    server().pod('p2', { node: 'n1', labels: { app: 'a' }, isReady: false });
    expect(allowed()).toBe(1);
  });

  test('block an eviction until another pod is ready', async () => {
    await createBudget({ maxUnavailable: 1 });
    for (const name of ['p1', 'p2']) server().pod(name, { node: 'n1', labels: { app: 'a' } });
    expect((await evict('p1')).code).toBe(201);
    expect((await evict('p2')).code).toBe(429);
    server().pod('p3', { node: 'n2', labels: { app: 'a' } });
    expect((await evict('p2')).code).toBe(201);
  });
});
