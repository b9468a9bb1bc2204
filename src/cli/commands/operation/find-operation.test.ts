import { describe, expect, test } from 'vitest';
import { operationResponse } from '../../../../test/harness/events/operation-responses.ts';
import { newId } from '../../../lib/random.ts';
import { ApiError } from '../../../sdk/errors.ts';
import { findOperation, ID_LENGTH } from './find-operation.ts';

const ALL = ['abcdefghijklmnop', 'abcdefgh00000000', 'xyz0000000000000'].map((id, index) => ({
  ...operationResponse({}).report,
  ...{ id, cluster: index === 2 ? 'abc' : 'web' },
}));

/** Returns pages of two operations. */
const client: Parameters<typeof findOperation>[0] = {
  listOperations: async ({ query = {} } = {}) => {
    const { cluster, after, limit = 2 } = query;
    const matching = ALL.filter(operation => cluster === undefined || operation.cluster === cluster);
    const start = matching.findIndex(({ id }) => id === after) + 1;
    const end = start + Math.min(2, limit);
    const headers = new Headers(
      end < matching.length ? { link: `</next?after=${matching[end - 1]?.id}>; rel="next"` } : {},
    );
    return { status: 200, body: matching.slice(start, end), headers };
  },
  getOperation: async ({ id }) => {
    const body = ALL.find(operation => operation.id === id);
    const problem = { type: '', title: '', status: 404, detail: '', code: 'not_found', request_id: '' };
    if (body === undefined) throw new ApiError(404, problem);
    return { status: 200, body, headers: new Headers() };
  },
};

describe('findOperation()', () => {
  test.each([
    ['its ID', 'abcdefgh00000000', 'abcdefgh00000000'],
    ['its cluster: the newest operation', 'web', 'abcdefghijklmnop'],
    ['its cluster before an ID prefix', 'abc', 'xyz0000000000000'],
    ['an ID prefix on a later page', 'xy', 'xyz0000000000000'],
    ['a unique ID prefix', 'abcdefghi', 'abcdefghijklmnop'],
  ])('finds an operation by %s', async (_name, text, id) => {
    expect((await findOperation(client, text)).id).toBe(id);
  });

  test.each([
    [
      'abcd',
      2,
      /prefix "abcd" matches 2 operations: abcdefghijklmnop \(restart of web\), abcdefgh0.*\. Use a longer prefix/,
    ],
    ['nothing', 5, /the operation nothing does not exist/],
    ['0123456789abcdefg', 5, /the operation 0123456789abcdefg does not exist/],
    ['a b', 2, /neither an operation ID nor a cluster name/],
  ])('rejects %s', async (text, exitCode, message) => {
    await expect(findOperation(client, text)).rejects.toMatchObject({
      exitCode,
      message: expect.stringMatching(message),
    });
  });
});

test('generated IDs have the length ID_LENGTH', () => {
  expect(newId()).toHaveLength(ID_LENGTH);
});
