import { expect, test } from 'vitest';
import { parseMaxFiles } from './process-metrics.ts';

const HEAD = 'Limit                     Soft Limit           Hard Limit           Units     \n';

test.each([
  ['the soft limit', 'Max open files            1024                 524288               files     \n', 1024],
  [
    'undefined for unlimited',
    'Max open files            unlimited            unlimited            files     \n',
    undefined,
  ],
  ['undefined without such a row', '', undefined],
])('parseMaxFiles() returns %s', (_name, row, expected) => {
  expect(parseMaxFiles(`${HEAD}${row}Max processes 7 7 processes\n`)).toBe(expected);
});
