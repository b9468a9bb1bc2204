import { describe, expect, test } from 'vitest';
import { at, fieldsAt, listAt, textAt } from '../objects.ts';
import type { ApiLab } from './api-lab.ts';

export function describeEvictions(lab: ApiLab): void {
  const { ask, make, runPod, evict, budgetFor, pods, budgets } = lab;

  describe('an eviction', () => {
    test('removes a pod that no budget guards', async () => {
      await runPod('free', {}, 0);
      const { code, body } = await evict('free');
      expect([code, body]).toEqual([
        201,
        { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
      ]);
      expect((await ask('GET', `${pods}/free`)).code).toBe(404);
    });

    test('of an unknown pod, of another name and of another uid is refused', async () => {
      expect((await evict('nobody')).body).toMatchObject({
        code: 404,
        message: 'pods "nobody" not found',
      });
      await runPod('named', {});
      const eviction = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'other' } };
      expect((await ask('POST', `${pods}/named/eviction`, eviction)).body).toMatchObject({
        code: 400,
        message: 'name in URL does not match name in Eviction object',
      });
      const other = await evict('named', { deleteOptions: { preconditions: { uid: 'another' } } });
      expect(other.body).toMatchObject({ code: 409, reason: 'Conflict' });
    });

    test('is refused while the budget is not worked out', async () => {
      await runPod('early', { app: 'early' });
      await budgetFor('early', { observedGeneration: 0, disruptionsAllowed: 0, currentHealthy: 1 });
      const { code, body } = await evict('early');
      expect([code, body['reason']]).toEqual([429, 'TooManyRequests']);
      expect(at(listAt(body, 'details', 'causes')[0], 'message')).toBe(
        'The disruption budget early is still being processed by the server.',
      );
    });

    test('is refused while the budget allows none, and uses up what it allows', async () => {
      for (const name of ['one', 'two']) {
        await runPod(name, { app: 'guarded' }, 0);
      }
      const status = { observedGeneration: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
      await budgetFor('guarded', { ...status, disruptionsAllowed: 1 });
      expect((await evict('one')).code).toBe(201);
      const { code, body, headers } = await evict('two');
      expect(code).toBe(429);
      expect(headers['retry-after']).toBe(undefined);
      expect(body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        reason: 'TooManyRequests',
        details: {
          causes: [
            {
              reason: 'DisruptionBudget',
              message: 'The disruption budget guarded needs 1 healthy pods and has 2 currently',
            },
          ],
        },
        code: 429,
      });
    });

    test('of a pod with two budgets is an error of the server', async () => {
      await runPod('twice', { app: 'twice', also: 'twice' });
      await budgetFor('twice');
      await make(budgets, {
        metadata: { name: 'also' },
        spec: { minAvailable: 1, selector: { matchLabels: { also: 'twice' } } },
      });
      const { code, body } = await evict('twice');
      expect(code).toBe(500);
      expect(body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message:
          'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
        code: 500,
      });
    });
  });

  describe('a deletion of a pod', () => {
    test('without grace is done at once, and answers the pod', async () => {
      await runPod('short', {});
      const { code, body } = await ask('DELETE', `${pods}/short`, { gracePeriodSeconds: 0 });
      expect([code, body['kind'], textAt(body, 'metadata', 'name')]).toEqual([200, 'Pod', 'short']);
      expect((await ask('GET', `${pods}/short`)).code).toBe(404);
    });

    test('with grace says until when', async () => {
      await runPod('long', {});
      const { code, body } = await ask('DELETE', `${pods}/long`, { gracePeriodSeconds: 7 });
      expect(code).toBe(200);
      const { deletionTimestamp, deletionGracePeriodSeconds } = fieldsAt(body, 'metadata');
      expect(deletionGracePeriodSeconds).toBe(7);
      expect(deletionTimestamp).toMatch(/^\d{4}-.*Z$/);
    });
  });
}
