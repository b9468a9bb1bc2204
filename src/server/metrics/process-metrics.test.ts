import { expect, test } from 'vitest';
import { parseMaxFiles } from './process-metrics.ts';

const HEAD = 'Limit                     Soft Limit           Hard Limit           Units     \n';

test.each([
  [
    'the soft limit',
    'Max open files            1024                 524288               files     \n',
    1024,
  ],
  ['none', 'Max open files            unlimited            unlimited            files     \n', undefined],
  ['none where the table has no such row', '', undefined],
])('of the files that may be open it takes %s', (_what, row, expected) => {
  expect(parseMaxFiles(`${HEAD}${row}Max processes 7 7 processes\n`)).toBe(expected);
});
