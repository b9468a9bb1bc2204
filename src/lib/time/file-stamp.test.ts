import { expect, test } from 'vitest';
import { fileStamp } from './file-stamp.ts';

test('a moment is written to the millisecond, in digits and letters', () => {
  expect(fileStamp(Date.UTC(2027, 0, 2, 3, 4, 5, 6))).toBe('20270102T030405006Z');
});
