import { expect, test } from 'vitest';
import { createProgress } from '#sdk/operation-progress.ts';
import { operationResponse } from '../../../../../test/harness/events/operation-responses.ts';
import type { HostFilter } from './phase-groups.ts';
import { filterHosts } from './phase-groups.ts';

const { hosts } = createProgress(
  operationResponse(
    {
      '127.0.0.1': [['rebooting', 1]],
      '127.0.0.12': [['failed', 1]],
      '::abc': [['failed', 1]],
      '127.0.0.3': [],
    },
    { errors: { '127.0.0.12': 'No space left', '::abc': 'killed' } },
  ),
);

test.each<[Partial<HostFilter>, readonly string[]]>([
  [{}, ['127.0.0.1', '127.0.0.12', '::abc', '127.0.0.3']],
  [{ text: '  ' }, ['127.0.0.1', '127.0.0.12', '::abc', '127.0.0.3']],
  [{ text: '0.1' }, ['127.0.0.1', '127.0.0.12']],
  [{ text: ' ::ABC ' }, ['::abc']],
  [{ text: 'no space' }, ['127.0.0.12']],
  [{ group: 'failed' }, ['127.0.0.12', '::abc']],
  [{ group: 'failed', text: '127' }, ['127.0.0.12']],
  [{ group: 'draining' }, []],
])('filterHosts with %j returns %j', (filter, addresses) => {
  const matches = filterHosts(hosts.list, { group: undefined, text: '', ...filter });
  expect(matches.map(({ address }) => address)).toEqual(addresses);
});
