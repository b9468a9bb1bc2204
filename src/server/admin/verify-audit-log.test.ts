import { describe, expect, test } from 'vitest';
import { parseCheckpoint } from './verify-audit-log.ts';

const HASH = 'ab'.repeat(32);

describe('parseCheckpoint()', () => {
  test('parses the printed format', () => {
    expect(parseCheckpoint(`1893542400000000:${HASH}`)).toEqual({ id: 1_893_542_400_000_000, hash: HASH });
  });

  test.each(['', '7', `:${HASH}`, `0:${HASH}`, `-1:${HASH}`, `7:${HASH}0`, `7:${HASH.toUpperCase()}`, `7 ${HASH}`])(
    'rejects %j',
    text => {
      expect(() => parseCheckpoint(text)).toThrow('is not ID:HASH');
    },
  );
});
