import { describe, expect, test } from 'vitest';
import { DEFAULT_NETWORK, isRecordName, toRecordName } from './record-name.ts';

describe('record name', () => {
  test.each([
    ['one character', 'a'],
    ['every kind of character', 'Az09_-'],
    ['128 characters', 'x'.repeat(128)],
    ['a number', '42'],
    ['a leading hyphen', '-a'],
  ])('accepts %s', (_what, text) => {
    expect(isRecordName(text)).toBe(true);
  });

  test.each([
    ['that is empty', ''],
    ['of 129 characters', 'x'.repeat(129)],
    ['with a space', 'a b'],
    ['with a dot', 'a.b'],
    ['with a slash', 'a/b'],
    ['with a trailing newline', 'a\n'],
    ['with a non-ASCII letter', 'ä'],
    ['with a NUL byte', 'a\0'],
    ['with a percent sign', 'a%20b'],
  ])('rejects a name %s', (_what, text) => {
    expect(isRecordName(text)).toBe(false);
    expect(() => toRecordName(text)).toThrow(/not a record name/);
  });

  test('is returned unchanged', () => {
    expect(toRecordName('web-1')).toBe('web-1');
    expect(DEFAULT_NETWORK).toBe('default');
  });
});
