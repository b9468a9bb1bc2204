import { describe, expect, test } from 'vitest';
import type { Address } from '../addresses/address.ts';
import type { Host } from './host.ts';
import { newHost, parseLabelFilter, withFacts } from './host.ts';
import type { HostFacts } from './host-facts.ts';

test.each([
  ['zone', { key: 'zone' }],
  ['zone=', { key: 'zone', value: '' }],
  ['example.com/zone=a1', { key: 'example.com/zone', value: 'a1' }],
  ['zone=a=b', { key: 'zone', value: 'a=b' }],
])('parseLabelFilter parses %s', (text, expected) => {
  expect(parseLabelFilter(text)).toEqual(expected);
});

describe('withFacts', () => {
  const NOON = '2026-01-01T12:00:00.000000';
  const unknown = newHost('127.0.0.1' as Address, { enrolment: 'e' });
  const known: Host = { ...unknown, bootId: 'a', boots: 1, bootedAt: '2026-01-01T11:00:00.000000' };

  test.each<[string, Host, Partial<HostFacts>, Pick<Host, 'bootId' | 'boots' | 'bootedAt'>]>([
    [
      'the first facts',
      unknown,
      { bootId: 'a', uptimeS: 60 },
      { bootId: 'a', boots: 1, bootedAt: '2026-01-01T11:59:00.000000' },
    ],
    ['a new boot without its uptime', known, { bootId: 'b' }, { bootId: 'b', boots: 2, bootedAt: '' }],
    [
      'the uptime of a boot that is already known by its ID',
      { ...known, bootedAt: '' },
      { bootId: 'a', uptimeS: 1 },
      { bootId: 'a', boots: 1, bootedAt: '2026-01-01T11:59:59.000000' },
    ],
    ['a slightly different uptime of the same boot', known, { bootId: 'a', uptimeS: 3601 }, known],
    ['facts without a boot ID', known, { kernel: '6.2' }, known],
  ])('records %s', (_title, host, facts, { bootId, boots, bootedAt }) => {
    expect(withFacts(host, facts, NOON)).toMatchObject({ bootId, boots, bootedAt });
  });
});
