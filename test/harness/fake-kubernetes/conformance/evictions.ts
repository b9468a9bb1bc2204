import { describe, expect, test } from 'vitest';
import { at, fieldsAt, listAt, textAt } from '../objects.ts';
import type { ApiFixture } from './fixtures.ts';

export function describeEvictions(fixture: ApiFixture): void {
  const { request, create, runPod, evict, createBudget, pods, budgets } = fixture;

  describe('evictions', () => {
    test('remove a pod without a budget', async () => {
      await runPod('free', {}, 0);
      const { code, body } = await evict('free');
      expect([code, body]).toEqual([
        201,
        { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
      ]);
      expect((await request('GET', `${pods}/free`)).code).toBe(404);
    });

    test('reject an unknown pod, a wrong name and a wrong uid', async () => {
      expect((await evict('unknown')).body).toMatchObject({
        code: 404,
        message: 'pods "unknown" not found',
      });
      await runPod('named', {});
      const eviction = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'other' } };
      expect((await request('POST', `${pods}/named/eviction`, eviction)).body).toMatchObject({
        code: 400,
        message: 'name in URL does not match name in Eviction object',
      });
      const other = await evict('named', { deleteOptions: { preconditions: { uid: 'another' } } });
      expect(other.body).toMatchObject({ code: 409, reason: 'Conflict' });
    });

    test('return 429 while the status of the budget is outdated', async () => {
      await runPod('early', { app: 'early' });
      await createBudget('early', { observedGeneration: 0, disruptionsAllowed: 0, currentHealthy: 1 });
      const { code, body } = await evict('early');
      expect([code, body['reason']]).toEqual([429, 'TooManyRequests']);
      expect(at(listAt(body, 'details', 'causes')[0], 'message')).toBe(
        'The disruption budget early is still being processed by the server.',
      );
    });

    test('consume the allowed disruptions and return 429 when none are left', async () => {
      for (const name of ['one', 'two']) {
        await runPod(name, { app: 'guarded' }, 0);
      }
      const status = { observedGeneration: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
      await createBudget('guarded', { ...status, disruptionsAllowed: 1 });
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

    test('return 500 for a pod with two budgets', async () => {
      await runPod('twice', { app: 'twice', also: 'twice' });
      await createBudget('twice');
      await create(budgets, {
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
        message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
        code: 500,
      });
    });
  });

  describe('deletion of a pod', () => {
    test('removes and returns the pod without a grace period', async () => {
      await runPod('short', {});
      const { code, body } = await request('DELETE', `${pods}/short`, { gracePeriodSeconds: 0 });
      expect([code, body['kind'], textAt(body, 'metadata', 'name')]).toEqual([200, 'Pod', 'short']);
      expect((await request('GET', `${pods}/short`)).code).toBe(404);
    });

    test('sets the deletion time with a grace period', async () => {
      await runPod('long', {});
      const { code, body } = await request('DELETE', `${pods}/long`, { gracePeriodSeconds: 7 });
      expect(code).toBe(200);
      const { deletionTimestamp, deletionGracePeriodSeconds } = fieldsAt(body, 'metadata');
      expect(deletionGracePeriodSeconds).toBe(7);
      expect(deletionTimestamp).toMatch(/^\d{4}-.*Z$/);
    });
  });
}
