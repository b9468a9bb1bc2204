import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseAuditSearch, toLocalInput, toUtc } from './search.ts';

it.each([
  ['nothing', {}, {}],
  ['a type', { type: 'host.status' }, { type: 'host.status' }],
  ['a type that there is not', { type: 'host.sang' }, {}],
  ['texts', { actor: 'ann', since: '2026-06-01' }, { actor: 'ann', since: '2026-06-01' }],
  ['a text that looks like a number', { subject: 42 }, { subject: '42' }],
  ['what is empty, and what is unknown', { host: '', after: '3' }, {}],
])('%s', (_title, search, expected) => {
  expect(parseAuditSearch(search)).toEqual(expected);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Whatever zone the machine has: what is proved in UTC alone proves nothing. */
const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati'] as const;

describe.each(ZONES)('in %s', zone => {
  it.each(['2026-06-17T15:48', '2026-01-01T00:00', '2026-12-31T23:59'])('%s stays what it is', utc => {
    vi.stubEnv('TZ', zone);
    expect(toUtc(toLocalInput(utc))).toBe(utc);
  });

  it('takes a day as its beginning in UTC', () => {
    vi.stubEnv('TZ', zone);
    expect(toUtc(toLocalInput('2026-06-17'))).toBe('2026-06-17T00:00');
  });
});

it.each([
  ['UTC', '2026-06-17T15:48', '2026-06-17T15:48'],
  ['America/New_York', '2026-06-17T15:48', '2026-06-17T11:48'],
  ['America/New_York', '2026-01-01T00:00', '2025-12-31T19:00'],
  ['Asia/Kolkata', '2026-12-31T23:59', '2027-01-01T05:29'],
])('in %s, %s of the service is %s', (zone, utc, local) => {
  vi.stubEnv('TZ', zone);
  expect(toLocalInput(utc)).toBe(local);
  expect(toUtc(local)).toBe(utc);
});

it.each(['', 'yesterday'])('has nothing for %j', text => {
  expect([toLocalInput(text), toUtc(text)]).toEqual(['', '']);
});
