import { expect, test } from 'vitest';
import { formatHostPort } from './text.ts';

test.each([
  ['127.0.0.1', '127.0.0.1:8000'],
  ['hostler.example', 'hostler.example:8000'],
  ['::1', '[::1]:8000'],
])('formatHostPort of %s and 8000 is %s', (host, text) => {
  expect(formatHostPort(host, 8000)).toBe(text);
});
