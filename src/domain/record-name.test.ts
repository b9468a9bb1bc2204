import { describe, expect, test } from 'vitest';
import { DEFAULT_NETWORK, isRecordName, toRecordName } from './record-name.ts';

describe('a record name', () => {
  test.each([
    ['one character', 'a'],
    ['every kind of character', 'Az09_-'],
    ['128 characters', 'x'.repeat(128)],
    ['a number', '42'],
    ['a sign in front', '-a'],
  ])('may be %s', (_what, text) => {
    expect(isRecordName(text)).toBe(true);
  });

  test.each([
    ['empty', ''],
    ['129 characters', 'x'.repeat(129)],
    ['with a space', 'a b'],
    ['with a dot', 'a.b'],
    ['with a slash', 'a/b'],
    ['with a newline behind', 'a\n'],
    ['with a letter beyond ASCII', 'ä'],
    ['with a zero byte', 'a\0'],
    ['with a percent sign', 'a%20b'],
  ])('may not be %s', (_what, text) => {
    expect(isRecordName(text)).toBe(false);
    expect(() => toRecordName(text)).toThrow(/not a record name/);
  });

  test('is given as it is', () => {
    expect(toRecordName('web-1')).toBe('web-1');
    expect(DEFAULT_NETWORK).toBe('default');
  });
});
