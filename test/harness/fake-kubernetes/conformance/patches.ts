import { describe, expect, test } from 'vitest';
import type { Json } from '../objects.ts';
import { at, isFields, listAt } from '../objects.ts';
import type { ApiFixture } from './fixtures.ts';
import { getVersion, MODIFIED, NODES } from './fixtures.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

export function describePatches(fixture: ApiFixture): void {
  const { request, node } = fixture;

  describe('patches', () => {
    test.each<[string, string, Json]>([
      ['a merge patch changes annotations', MERGE_PATCH, { metadata: { annotations: { 'example.com/mark': 'ours' } } }],
      [
        'a strategic merge patch changes annotations',
        STRATEGIC_PATCH,
        { metadata: { annotations: { 'example.com/mark': 'ours' } } },
      ],
      [
        'a JSON patch changes annotations',
        JSON_PATCH,
        [{ op: 'add', path: '/metadata/annotations', value: { 'example.com/mark': 'ours' } }],
      ],
    ])('%s', async (_case, type, patch) => {
      const { code, body } = await request('PATCH', `${NODES}/${node}`, patch, type);
      expect(code).toBe(200);
      expect(at(body, 'metadata', 'annotations', 'example.com/mark')).toBe('ours');
      await request('PATCH', `${NODES}/${node}`, { metadata: { annotations: null } });
    });

    test('a strategic patch merges conditions by type', async () => {
      const conditions = (...types: string[]) => ({
        status: { conditions: types.map(type => ({ type, status: 'False' })) },
      });
      await request('PATCH', `${NODES}/${node}/status`, conditions('Ready', 'DiskPressure'), MERGE_PATCH);
      const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
      const { body } = await request('PATCH', `${NODES}/${node}/status`, ready, STRATEGIC_PATCH);
      const found = listAt(body, 'status', 'conditions').filter(isFields);
      expect(found.map(condition => [condition['type'], condition['status']])).toEqual([
        ['Ready', 'True'],
        ['DiskPressure', 'False'],
      ]);
    });

    test('a patch with an outdated version returns 409', async () => {
      const { body } = await request('GET', `${NODES}/${node}`);
      const patch = (value: string, resourceVersion: string) =>
        request('PATCH', `${NODES}/${node}`, { metadata: { resourceVersion, labels: { value } } });
      expect((await patch('one', getVersion(body))).code).toBe(200);
      const outdated = await patch('two', getVersion(body));
      expect([outdated.code, outdated.body['reason']]).toEqual([409, 'Conflict']);
      expect(outdated.body['message']).toBe(`Operation cannot be fulfilled on nodes "${node}": ${MODIFIED}`);
    });

    const test1 = { op: 'test', path: '/metadata/labels/run', value: 'another' };
    const generic = 'the server rejected our request due to an error in our request';
    test.each<[string, string, Json, number, string, string | RegExp]>([
      ['with a failing test operation', JSON_PATCH, [test1], 422, 'Invalid', generic],
      ['that removes a missing field', JSON_PATCH, [{ op: 'remove', path: '/spec/x' }], 422, 'Invalid', generic],
      [
        'that adds to a missing parent',
        JSON_PATCH,
        [{ op: 'add', path: '/metadata/annotations/a', value: 'b' }],
        422,
        'Invalid',
        generic,
      ],
      [
        'with an unknown content type',
        'application/json',
        {},
        415,
        'UnsupportedMediaType',
        '415: Unsupported Media Type',
      ],
      [
        'that changes the uid',
        MERGE_PATCH,
        { metadata: { uid: 'another' } },
        422,
        'Invalid',
        /^Node "node-\w+" is invalid: metadata.uid: Invalid value: "another": field is immutable$/,
      ],
      [
        'that changes the name',
        MERGE_PATCH,
        { metadata: { name: 'another' } },
        400,
        'BadRequest',
        /^the name of the object \(another\) does not match the name on the URL \(node-\w+\)$/,
      ],
      [
        'with an invalid annotation key',
        MERGE_PATCH,
        { metadata: { annotations: { 'not a key': '' } } },
        422,
        'Invalid',
        /is invalid: metadata.annotations: Invalid value: "not a key": name part must consist of alphanumeric/,
      ],
    ])('a patch %s is rejected', async (_case, type, patch, code, reason, message) => {
      const { body, ...reply } = await request('PATCH', `${NODES}/${node}`, patch, type);
      expect([reply.code, body['code'], body['reason']]).toEqual([code, code, reason]);
      expect(body['message']).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    });
  });
}
