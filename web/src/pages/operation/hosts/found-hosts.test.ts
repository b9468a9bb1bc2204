import { expect, test } from 'vitest';
import { firstProgress } from '#client/operation-progress.ts';
import { readOf } from '../../../../../test/harness/events/followed.ts';
import type { Sought } from './found-hosts.ts';
import { foundHosts } from './found-hosts.ts';

const { hosts } = firstProgress(
  readOf(
    {
      '127.0.0.1': [['rebooting', 1]],
      '127.0.0.12': [['failed', 1]],
      '::abc': [['failed', 1]],
      '127.0.0.3': [],
    },
    { errors: { '127.0.0.12': 'No space left', '::abc': 'killed' } },
  ),
);

test.each<[Partial<Sought>, readonly string[]]>([
  [{}, ['127.0.0.1', '127.0.0.12', '::abc', '127.0.0.3']],
  [{ text: '  ' }, ['127.0.0.1', '127.0.0.12', '::abc', '127.0.0.3']],
  [{ text: '0.1' }, ['127.0.0.1', '127.0.0.12']],
  [{ text: ' ::ABC ' }, ['::abc']],
  [{ text: 'no space' }, ['127.0.0.12']],
  [{ show: 'failed' }, ['127.0.0.12', '::abc']],
  [{ show: 'failed', text: '127' }, ['127.0.0.12']],
  [{ show: 'draining' }, []],
])('%j finds %j', (sought, addresses) => {
  const found = foundHosts(hosts.list, { show: undefined, text: '', ...sought });
  expect(found.map(({ address }) => address)).toEqual(addresses);
});
