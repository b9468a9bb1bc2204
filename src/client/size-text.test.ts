import { expect, it } from 'vitest';
import { sizeText } from './size-text.ts';

it.each([
  ['nothing is not known', 0, ''],
  ['less than a MiB', 640, '640 KiB'],
  ['just below the next unit', 1023, '1023 KiB'],
  ['a small number has a place after the point', 1536, '1.5 MiB'],
  ['a larger one has none', 16_000_000, '15 GiB'],
  ['beyond the largest unit', 2 ** 63, '8388608 PiB'],
])('%s', (_what, kib, text) => {
  expect(sizeText(kib)).toBe(text);
});
