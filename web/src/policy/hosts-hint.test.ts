import { expect, test } from 'vitest';
import { hostsHint } from './hosts-hint.ts';

const HOSTNAMES = new Map([
  ['127.0.0.1', 'web-1'],
  ['127.0.0.2', 'web-2'],
]);

test.each([
  ['no addresses', '', 'One per line.'],
  ['known addresses', '127.0.0.1\n127.0.0.2', 'web-1, web-2. One per line.'],
  ['some unknown addresses', '127.0.0.1, ::1', 'web-1, ::1. One per line.'],
  ['only unknown addresses', '::1', 'One per line.'],
])('hostsHint names the hosts of %s', (_title, text, hint) => {
  expect(hostsHint('One per line.', text, HOSTNAMES)).toBe(hint);
});
