import { expect, test } from 'vitest';
import { escapeInvisibleJson, isVisibleWord, lastLine, sanitizeLine } from './sanitize.ts';

test.each([
  ['words', 'words'],
  ['  around\tand\n\nbetween ', 'around and between'],
  ['\u001b[31mred\u001b[0m', '[31mred[0m'],
  ['\u009b31mred', '31mred'],
  ['a\u0000b\u0007c\u007fd', 'abcd'],
  ['\u202Egnirts\u2066x\u200Ey', 'gnirtsxy'],
  ['one\u2028two\u2029three', 'one two three'],
  ['half \uD800 of a pair', 'half of a pair'],
  ['a\u3164b\u115Fc\u034Fd\uFE0Fe\u{E0100}f\u{E0041}g', 'abcdefg'],
  ['ünïcødé 馬 🐎', 'ünïcødé 馬 🐎'],
])('sanitizeLine keeps only visible characters of %j', (text, expected) => {
  expect(sanitizeLine(text)).toBe(expected);
});

test('sanitizeLine truncates long text between characters', () => {
  const long = sanitizeLine('🐎'.repeat(300));
  expect(long.length).toBeLessThanOrEqual(200);
  expect(long.endsWith('…')).toBe(true);
  expect(long.isWellFormed()).toBe(true);
});

test('sanitizeLine accepts bytes that are not UTF-8', () => {
  expect(sanitizeLine(new Uint8Array([0xff, 0x1b, 0x5b, 0x41]))).toBe('\uFFFD[A');
});

test.each([
  ['first\nlast\n\n', 'last'],
  ['progress 1%\rprogress 100%\r', 'progress 100%'],
  ['said\n\u001b\u0007\n', 'said'],
  ['', ''],
])('lastLine of %j is %j', (text, line) => {
  expect(lastLine(Buffer.from(text))).toBe(line);
});

test.each([
  ['\u009b2J', '\\u009b2J'],
  ['a\u0085b\u2028c\u007f', 'a\\u0085b\\u2028c\\u007f'],
  ['\u202Egnirts\u{E0041}', '\\u202egnirts\\udb40\\udc41'],
  ['ünïcødé 馬 🐎', 'ünïcødé 馬 🐎'],
])('escapeInvisibleJson escapes invisible characters of %j without changing the value', (text, expected) => {
  const json = JSON.stringify({ text }, null, '\t');
  expect(escapeInvisibleJson(json)).toContain(expected);
  expect(JSON.parse(escapeInvisibleJson(json))).toEqual({ text });
});

test.each([
  ['https://a.example/ü', true],
  ['two words', false],
  ['a\u2028b', false],
  ['a\u200Bb', false],
  ['a\u3164b', false],
])('isVisibleWord of %j is %s', (text, isVisible) => {
  expect(isVisibleWord(text)).toBe(isVisible);
});
