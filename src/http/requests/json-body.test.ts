import { describe, expect, test } from 'vitest';
import { measureJson, toBodyLimits } from './json-body.ts';

const NO_LIMIT = { depth: 1_000_000, values: 1_000_000 };
const measure = (text: string, limit = NO_LIMIT) => measureJson(Buffer.from(text), limit);

describe('measureJson', () => {
  test.each([
    ['1', 0, 1],
    ['[]', 1, 2],
    ['[1, 2, 3]', 1, 4],
    ['{"a": {"b": [1]}}', 3, 4],
    ['"[[[,,,"', 0, 1],
    ['"\\"[,"', 0, 1],
    ['["\\\\", [], "é,[ü"]', 2, 5],
    ['[[[[', 4, 5],
    ['', 0, 1],
  ])('%s has depth %i and %i values', (text, depth, values) => {
    expect(measure(text)).toEqual({ depth, values });
  });

  test('stops at the first exceeded limit', () => {
    const long = `[${'1,'.repeat(1_000_000)}1]`;
    expect(measure(long, { depth: 10, values: 100 })).toEqual({ depth: 1, values: 101 });
    expect(measure('['.repeat(1_000_000), { depth: 10, values: 1000 })).toEqual({ depth: 11, values: 12 });
  });
});

test('toBodyLimits caps all byte limits at bodyBytes', () => {
  const limits = toBodyLimits({ bodyBytes: 2000, members: 10 });
  expect(Object.values(limits).map(({ bytes }) => bytes)).toEqual([2000, 2000, 2000, 2000]);
  expect([limits.addresses.values, limits.hosts.values]).toEqual([1020, 21_000]);
});
