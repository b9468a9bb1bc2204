import { describe, expect, test } from 'vitest';
import { readOf } from '../../../../test/harness/events/followed.ts';
import { newId } from '../../../lib/random.ts';
import { ApiError } from '../../../sdk/client.ts';
import { findOperation, ID_LENGTH } from './find-operation.ts';

const ALL = ['abcdefghijklmnop', 'abcdefgh00000000', 'xyz0000000000000'].map((id, index) => ({
  ...readOf({}).report,
  ...{ id, cluster: index === 2 ? 'abc' : 'web' },
}));

/** Gives two at once. */
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

describe('an operation is found', () => {
  test.each([
    ['by its id', 'abcdefgh00000000', 'abcdefgh00000000'],
    ['by its cluster: the newest', 'web', 'abcdefghijklmnop'],
    ['by its cluster before the beginning of an id', 'abc', 'xyz0000000000000'],
    ['by a beginning, on whatever page', 'xy', 'xyz0000000000000'],
    ['by a beginning that only one has', 'abcdefghi', 'abcdefghijklmnop'],
  ])('%s', async (_name, text, id) => {
    expect((await findOperation(client, text)).id).toBe(id);
  });

  test.each([
    [
      'abcd',
      2,
      /prefix "abcd" matches 2 operations: abcdefghijklmnop \(restart of web\), abcdefgh0.*\. Use a longer prefix/,
    ],
    ['nothing', 4, /the operation nothing does not exist/],
    ['0123456789abcdefg', 4, /the operation 0123456789abcdefg does not exist/],
    ['a b', 2, /neither an operation ID nor a cluster name/],
  ])('not by %s', async (text, exitCode, message) => {
    await expect(findOperation(client, text)).rejects.toMatchObject({
      exitCode,
      message: expect.stringMatching(message),
    });
  });
});

test('ids are as long as they are taken for', () => {
  expect(newId()).toHaveLength(ID_LENGTH);
});
