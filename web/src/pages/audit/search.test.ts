import { expect, it } from 'vitest';
import { readAuditSearch } from './search.ts';

it.each([
  ['nothing', {}, {}],
  ['a type', { type: 'host.status' }, { type: 'host.status' }],
  ['a type that there is not', { type: 'host.sang' }, {}],
  ['texts', { actor: 'ann', since: '2026-06-01' }, { actor: 'ann', since: '2026-06-01' }],
  ['a text that looks like a number', { subject: 42 }, { subject: '42' }],
  ['what is empty, and what is unknown', { host: '', after: '3' }, {}],
])('%s', (_what, search, read) => {
  expect(readAuditSearch(search)).toEqual(read);
});
