import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decrypt, encrypt } from './keyring.ts';

const key = randomBytes(32);
const LOCATION = 'accounts/1';

describe('encrypted value', () => {
  test.each([
    ['text', 'correct horse'],
    ['an empty text', ''],
    ['non-ASCII text', 'pässwörd 密码 🔑'],
    ['a long text', 'x'.repeat(100_000)],
    ['a NUL byte', 'a\0b'],
  ])('decrypts to %s', (_what, text) => {
    expect(decrypt(key, encrypt(key, text, LOCATION), LOCATION)).toBe(text);
  });

  test('is different each time, even for the same text', () => {
    const values = Array.from({ length: 100 }, () => encrypt(key, 'same', LOCATION).toString('hex'));
    expect(new Set(values).size).toBe(100);
  });

  test('does not contain the text', () => {
    expect(encrypt(key, 'correct horse', LOCATION).includes('correct')).toBe(false);
  });

  test('does not decrypt with another key or location', () => {
    const value = encrypt(key, 'text', LOCATION);
    expect(() => decrypt(randomBytes(32), value, LOCATION)).toThrow();
    expect(() => decrypt(key, value, 'accounts/2')).toThrow();
  });

  test('does not decrypt with any single bit flipped', () => {
    const value = encrypt(key, 'text', LOCATION);
    const opened = Array.from({ length: value.length * 8 }, (_, bit) => {
      const changed = Buffer.from(value);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      try {
        return decrypt(key, changed, LOCATION);
      } catch {
        return undefined;
      }
    });
    expect(opened.filter(text => text !== undefined)).toEqual([]);
  });

  test('does not decrypt when truncated at any length', () => {
    const value = encrypt(key, 'text', LOCATION);
    for (let length = 0; length < value.length; length += 1) {
      expect(() => decrypt(key, value.subarray(0, length), LOCATION), `cut at ${length}`).toThrow();
    }
  });
});
