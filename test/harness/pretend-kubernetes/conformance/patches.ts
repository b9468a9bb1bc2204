import { describe, expect, test } from 'vitest';
import type { Json } from '../objects.ts';
import { at, isFields, listAt } from '../objects.ts';
import type { ApiLab } from './api-lab.ts';
import { MODIFIED, NODES, versionOf } from './api-lab.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

export function describePatches(lab: ApiLab): void {
  const { ask, node } = lab;

  describe('a patch', () => {
    test.each<[string, string, Json]>([
      ['merges', MERGE_PATCH, { metadata: { annotations: { 'example.com/mark': 'ours' } } }],
      ['merges by strategy', STRATEGIC_PATCH, { metadata: { annotations: { 'example.com/mark': 'ours' } } }],
      [
        'is a list of operations',
        JSON_PATCH,
        [{ op: 'add', path: '/metadata/annotations', value: { 'example.com/mark': 'ours' } }],
      ],
    ])('%s', async (_what, type, patch) => {
      const { code, body } = await ask('PATCH', `${NODES}/${node}`, patch, type);
      expect(code).toBe(200);
      expect(at(body, 'metadata', 'annotations', 'example.com/mark')).toBe('ours');
      await ask('PATCH', `${NODES}/${node}`, { metadata: { annotations: null } });
    });

    test('by strategy merges conditions by their type', async () => {
      const conditions = (...types: string[]) => ({
        status: { conditions: types.map(type => ({ type, status: 'False' })) },
      });
      await ask('PATCH', `${NODES}/${node}/status`, conditions('Ready', 'DiskPressure'), MERGE_PATCH);
      const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
      const { body } = await ask('PATCH', `${NODES}/${node}/status`, ready, STRATEGIC_PATCH);
      const found = listAt(body, 'status', 'conditions').filter(isFields);
      expect(found.map(one => [one['type'], one['status']])).toEqual([
        ['Ready', 'True'],
        ['DiskPressure', 'False'],
      ]);
    });

    test('with the current version passes, with another it is a conflict', async () => {
      const { body } = await ask('GET', `${NODES}/${node}`);
      const patch = (value: string, resourceVersion: string) =>
        ask('PATCH', `${NODES}/${node}`, { metadata: { resourceVersion, labels: { value } } });
      expect((await patch('one', versionOf(body))).code).toBe(200);
      const late = await patch('two', versionOf(body));
      expect([late.code, late.body['reason']]).toEqual([409, 'Conflict']);
      expect(late.body['message']).toBe(`Operation cannot be fulfilled on nodes "${node}": ${MODIFIED}`);
    });

    const test1 = { op: 'test', path: '/metadata/labels/run', value: 'another' };
    const generic = 'the server rejected our request due to an error in our request';
    test.each<[string, string, Json, number, string, string | RegExp]>([
      ['whose test fails', JSON_PATCH, [test1], 422, 'Invalid', generic],
      [
        'that removes what is not there',
        JSON_PATCH,
        [{ op: 'remove', path: '/spec/x' }],
        422,
        'Invalid',
        generic,
      ],
      [
        'that adds below what is not there',
        JSON_PATCH,
        [{ op: 'add', path: '/metadata/annotations/a', value: 'b' }],
        422,
        'Invalid',
        generic,
      ],
      [
        'of a type that is none',
        'application/json',
        {},
        415,
        'UnsupportedMediaType',
        '415: Unsupported Media Type',
      ],
      [
        'of another uid',
        MERGE_PATCH,
        { metadata: { uid: 'another' } },
        422,
        'Invalid',
        /^Node "node-\w+" is invalid: metadata.uid: Invalid value: "another": field is immutable$/,
      ],
      [
        'of another name',
        MERGE_PATCH,
        { metadata: { name: 'another' } },
        400,
        'BadRequest',
        /^the name of the object \(another\) does not match the name on the URL \(node-\w+\)$/,
      ],
      [
        'with a key that is none',
        MERGE_PATCH,
        { metadata: { annotations: { 'not a key': '' } } },
        422,
        'Invalid',
        /is invalid: metadata.annotations: Invalid value: "not a key": name part must consist of alphanumeric/,
      ],
    ])('%s is refused', async (_what, type, patch, code, reason, message) => {
      const { body, ...reply } = await ask('PATCH', `${NODES}/${node}`, patch, type);
      expect([reply.code, body['code'], body['reason']]).toEqual([code, code, reason]);
      expect(body['message']).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    });
  });
}
