import { describe, expect, test } from 'vitest';
import type { Fields } from '../objects.ts';
import { at, fieldsAt, textAt } from '../objects.ts';
import type { ApiLab } from './api-lab.ts';
import { MODIFIED, NODES, versionOf } from './api-lab.ts';

export function describeObjects(lab: ApiLab): void {
  const { ask, make, run, node, secrets } = lab;

  describe('an object', () => {
    test('is made with a uid, a version and a time, and read with its kind', async () => {
      const { code, body } = await ask('GET', `${NODES}/${node}`);
      expect([code, body['kind'], body['apiVersion']]).toEqual([200, 'Node', 'v1']);
      expect(textAt(body, 'metadata', 'uid')).toMatch(/^[0-9a-f-]{36}$/);
      expect(Number(versionOf(body))).toBeGreaterThan(0);
      expect(textAt(body, 'metadata', 'creationTimestamp')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    });

    test('that is a new node is not ready for pods', async () => {
      const { body } = await ask('GET', `${NODES}/${node}`);
      expect(at(body, 'spec', 'taints')).toEqual([
        { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
      ]);
    });

    test('gets a name from its prefix', async () => {
      const made = await make(secrets, { metadata: { generateName: 'some-' }, stringData: { a: 'b' } });
      expect(textAt(made, 'metadata', 'name')).toMatch(/^some-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      expect(made['data']).toEqual({ a: 'Yg==' });
      expect([made['type'], made['stringData']]).toEqual(['Opaque', undefined]);
    });

    test('that is deleted answers a status with what it was', async () => {
      const made = await make(secrets, { metadata: { name: 'going' } });
      const { code, body } = await ask('DELETE', `${secrets}/going`);
      expect(code).toBe(200);
      expect(body).toMatchObject({ kind: 'Status', status: 'Success' });
      const uid = textAt(made, 'metadata', 'uid');
      expect(body['details']).toEqual({ name: 'going', kind: 'secrets', uid });
    });

    test('is not changed by what changes nothing', async () => {
      const before = await ask('GET', `${NODES}/${node}`);
      const after = await ask('PATCH', `${NODES}/${node}`, { metadata: { labels: { run } } });
      expect(versionOf(after.body)).toBe(versionOf(before.body));
    });

    test('leaves out what is empty', async () => {
      const patch = (body: Fields) => ask('PATCH', `${NODES}/${node}`, body);
      await patch({ spec: { unschedulable: true }, metadata: { annotations: { 'example.com/a': 'b' } } });
      const { body } = await patch({
        spec: { unschedulable: false },
        metadata: { annotations: { 'example.com/a': null } },
      });
      expect('unschedulable' in fieldsAt(body, 'spec')).toBe(false);
      expect(at(body, 'metadata', 'annotations')).toBe(undefined);
    });

    test('keeps its status on the way through itself, and its spec on the way through its status', async () => {
      const change = { spec: { unschedulable: true }, status: { nodeInfo: { bootID: 'b1' } } };
      const status = await ask('PATCH', `${NODES}/${node}/status`, change);
      expect(at(status.body, 'status', 'nodeInfo', 'bootID')).toBe('b1');
      expect(at(status.body, 'spec', 'unschedulable')).toBe(undefined);
      const other = { spec: { unschedulable: true }, status: { nodeInfo: { bootID: 'b2' } } };
      const itself = await ask('PATCH', `${NODES}/${node}`, other);
      expect(at(itself.body, 'status', 'nodeInfo', 'bootID')).toBe('b1');
      expect(at(itself.body, 'spec', 'unschedulable')).toBe(true);
      await ask('PATCH', `${NODES}/${node}`, { spec: { unschedulable: null } });
    });

    test('is replaced by whoever has its version, and by nobody else', async () => {
      const { body } = await ask('GET', `${NODES}/${node}`);
      const labels = { run, turn: 'one' };
      const next = { ...body, metadata: { ...fieldsAt(body, 'metadata'), labels } };
      expect((await ask('PUT', `${NODES}/${node}`, next)).code).toBe(200);
      const again = await ask('PUT', `${NODES}/${node}`, next);
      expect(again.code).toBe(409);
      expect(again.body).toMatchObject({
        status: 'Failure',
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on nodes "${node}": ${MODIFIED}`,
        details: { name: node, kind: 'nodes' },
        code: 409,
      });
      const unconditional = { metadata: { name: node, labels: { run } } };
      expect((await ask('PUT', `${NODES}/${node}`, unconditional)).code).toBe(200);
    });
  });
}
