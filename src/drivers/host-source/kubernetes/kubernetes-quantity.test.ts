import { expect, test } from 'vitest';
import { parseQuantity } from './kubernetes.ts';

test.each<[string | undefined, number | undefined]>([
  ['4', 4],
  ['+4', 4],
  ['3920m', 3.92],
  ['0.5', 0.5],
  ['.5', 0.5],
  ['5.', 5],
  ['16393244Ki', 16_393_244 * 1024],
  ['1Mi', 1_048_576],
  ['1.5Gi', 1_610_612_736],
  ['2Ti', 2 * 2 ** 40],
  ['1Pi', 2 ** 50],
  ['1Ei', 2 ** 60],
  ['100k', 100_000],
  ['7M', 7_000_000],
  ['7G', 7e9],
  ['1T', 1e12],
  ['1P', 1e15],
  ['1E', 1e18],
  ['1e3', 1000],
  ['1E3', 1000],
  ['12e-1', 1.2],
  ['500n', 5e-7],
  ['500u', 5e-4],
  ['', undefined],
  ['many', undefined],
  ['4 ', undefined],
  ['-4', undefined],
  ['4K', undefined],
  ['4ki', undefined],
  ['4toString', undefined],
  ['0x10', undefined],
  [undefined, undefined],
])('parseQuantity for %j returns %d', (text, value) => {
  const found = parseQuantity(text);
  if (value === undefined) expect(found).toBeUndefined();
  else expect(found).toBeCloseTo(value, 12);
});
