import { afterEach, describe, expect, test, vi } from 'vitest';
import { hasFilters, parseAuditSearch, toAuditQuery, toLocalInput, toUtc } from './search.ts';

test.each([
  ['no parameters', {}, {}],
  ['a type', { type: 'host.status' }, { type: 'host.status' }],
  ['no unknown type', { type: 'host.unknown' }, {}],
  ['text filters', { actor: 'ann', since: '2026-06-01' }, { actor: 'ann', since: '2026-06-01' }],
  ['a number as text', { subject: 42 }, { subject: '42' }],
  ['no empty or unknown parameters', { host: '', after: '3' }, {}],
])('parseAuditSearch reads %s', (_title, search, expected) => {
  expect(parseAuditSearch(search)).toEqual(expected);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** In UTC alone a wrong conversion would pass. */
const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati'] as const;

describe.each(ZONES)('times in the zone %s', zone => {
  test.each(['2026-06-17T15:48', '2026-01-01T00:00', '2026-12-31T23:59'])(
    '%s survives the conversion to local time and back',
    utc => {
      vi.stubEnv('TZ', zone);
      expect(toUtc(toLocalInput(utc))).toBe(utc);
    },
  );

  test('converts a date to its start in UTC', () => {
    vi.stubEnv('TZ', zone);
    expect(toUtc(toLocalInput('2026-06-17'))).toBe('2026-06-17T00:00');
  });
});

test.each([
  ['UTC', '2026-06-17T15:48', '2026-06-17T15:48'],
  ['America/New_York', '2026-06-17T15:48', '2026-06-17T11:48'],
  ['America/New_York', '2026-01-01T00:00', '2025-12-31T19:00'],
  ['Asia/Kolkata', '2026-12-31T23:59', '2027-01-01T05:29'],
])('toLocalInput in the zone %s converts the UTC time %s to %s', (zone, utc, local) => {
  vi.stubEnv('TZ', zone);
  expect(toLocalInput(utc)).toBe(local);
  expect(toUtc(local)).toBe(utc);
});

test.each(['', 'yesterday'])('toLocalInput and toUtc convert %j to an empty string', text => {
  expect([toLocalInput(text), toUtc(text)]).toEqual(['', '']);
});

describe('toAuditQuery', () => {
  test.each<[string, Parameters<typeof toAuditQuery>[0], object, boolean]>([
    ['opens with what people and programs did', {}, { origin: 'request' }, false],
    ['shows what the system recorded', { origin: 'system' }, { origin: 'system' }, false],
    ['shows everything', { origin: 'all' }, {}, false],
    ['shows all entries of a selected type', { type: 'host.status' }, { type: 'host.status' }, true],
    ['keeps other filters', { actor: 'ann' }, { actor: 'ann', origin: 'request' }, true],
    [
      'keeps a selected origin with a type',
      { type: 'host.status', origin: 'system' },
      { type: 'host.status', origin: 'system' },
      true,
    ],
  ])('%s', (_title, search, query, isFiltered) => {
    expect(toAuditQuery(search)).toEqual(query);
    expect(hasFilters(search)).toBe(isFiltered);
  });
});
