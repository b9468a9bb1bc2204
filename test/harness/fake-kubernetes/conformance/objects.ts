import { describe, expect, test } from 'vitest';
import type { Fields } from '../objects.ts';
import { at, fieldsAt, textAt } from '../objects.ts';
import type { ApiFixture } from './fixtures.ts';
import { getVersion, MODIFIED, NODES } from './fixtures.ts';

export function describeObjects(fixture: ApiFixture): void {
  const { request, create, run, node, secrets } = fixture;

  describe('objects', () => {
    test('are created with uid, version and time, and returned with their kind', async () => {
      const { code, body } = await request('GET', `${NODES}/${node}`);
      expect([code, body['kind'], body['apiVersion']]).toEqual([200, 'Node', 'v1']);
      expect(textAt(body, 'metadata', 'uid')).toMatch(/^[0-9a-f-]{36}$/);
      expect(Number(getVersion(body))).toBeGreaterThan(0);
      expect(textAt(body, 'metadata', 'creationTimestamp')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    });

    test('a new node has the not-ready taint', async () => {
      const { body } = await request('GET', `${NODES}/${node}`);
      expect(at(body, 'spec', 'taints')).toEqual([{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
    });

    test('generateName creates a name from the prefix', async () => {
      const created = await create(secrets, { metadata: { generateName: 'some-' }, stringData: { a: 'b' } });
      expect(textAt(created, 'metadata', 'name')).toMatch(/^some-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      expect(created['data']).toEqual({ a: 'Yg==' });
      expect([created['type'], created['stringData']]).toEqual(['Opaque', undefined]);
    });

    test('a deletion returns a status with the deleted object', async () => {
      const created = await create(secrets, { metadata: { name: 'going' } });
      const { code, body } = await request('DELETE', `${secrets}/going`);
      expect(code).toBe(200);
      expect(body).toMatchObject({ kind: 'Status', status: 'Success' });
      const uid = textAt(created, 'metadata', 'uid');
      expect(body['details']).toEqual({ name: 'going', kind: 'secrets', uid });
    });

    test('an update without changes keeps the version', async () => {
      const before = await request('GET', `${NODES}/${node}`);
      const after = await request('PATCH', `${NODES}/${node}`, { metadata: { labels: { run } } });
      expect(getVersion(after.body)).toBe(getVersion(before.body));
    });

    test('empty fields are omitted', async () => {
      const patch = (body: Fields) => request('PATCH', `${NODES}/${node}`, body);
      await patch({ spec: { unschedulable: true }, metadata: { annotations: { 'example.com/a': 'b' } } });
      const { body } = await patch({
        spec: { unschedulable: false },
        metadata: { annotations: { 'example.com/a': null } },
      });
      expect('unschedulable' in fieldsAt(body, 'spec')).toBe(false);
      expect(at(body, 'metadata', 'annotations')).toBe(undefined);
    });

    test('an update ignores the status, and a status update ignores the spec', async () => {
      const change = { spec: { unschedulable: true }, status: { nodeInfo: { bootID: 'b1' } } };
      const status = await request('PATCH', `${NODES}/${node}/status`, change);
      expect(at(status.body, 'status', 'nodeInfo', 'bootID')).toBe('b1');
      expect(at(status.body, 'spec', 'unschedulable')).toBe(undefined);
      const other = { spec: { unschedulable: true }, status: { nodeInfo: { bootID: 'b2' } } };
      const whole = await request('PATCH', `${NODES}/${node}`, other);
      expect(at(whole.body, 'status', 'nodeInfo', 'bootID')).toBe('b1');
      expect(at(whole.body, 'spec', 'unschedulable')).toBe(true);
      await request('PATCH', `${NODES}/${node}`, { spec: { unschedulable: null } });
    });

    test('a replacement requires the current version, or none', async () => {
      const { body } = await request('GET', `${NODES}/${node}`);
      const labels = { run, turn: 'one' };
      const next = { ...body, metadata: { ...fieldsAt(body, 'metadata'), labels } };
      expect((await request('PUT', `${NODES}/${node}`, next)).code).toBe(200);
      const again = await request('PUT', `${NODES}/${node}`, next);
      expect(again.code).toBe(409);
      expect(again.body).toMatchObject({
        status: 'Failure',
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on nodes "${node}": ${MODIFIED}`,
        details: { name: node, kind: 'nodes' },
        code: 409,
      });
      const unconditional = { metadata: { name: node, labels: { run } } };
      expect((await request('PUT', `${NODES}/${node}`, unconditional)).code).toBe(200);
    });
  });
}
