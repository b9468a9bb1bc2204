import { expect, test } from 'vitest';
import { parseLabelFilter } from './host.ts';

test.each([
  ['zone', { key: 'zone' }],
  ['zone=', { key: 'zone', value: '' }],
  ['example.com/zone=a1', { key: 'example.com/zone', value: 'a1' }],
  ['zone=a=b', { key: 'zone', value: 'a=b' }],
])('parseLabelFilter parses %s', (text, expected) => {
  expect(parseLabelFilter(text)).toEqual(expected);
});
