import { describe, expect, test } from 'vitest';
import type { HostCheck } from './health-check.ts';
import { CHECK_ENTRY_LENGTH, decodeChecks, encodeCheck, indicatesPartition } from './health-check.ts';

describe('check history', () => {
  test.each<[HostCheck, string]>([
    [{ at: '1970-01-01T00:00:00.000000', result: 'passed' }, '000000000+'],
    [{ at: '2026-11-15T08:30:00.001000', result: 'unreachable' }, '0mwhkqj41?'],
    [{ at: '2059-12-31T23:59:59.999000', result: 'failed' }, '108qqi2nz-'],
  ])('encodes %j as an entry of fixed length', (check, entry) => {
    expect([encodeCheck(check), entry.length]).toEqual([entry, CHECK_ENTRY_LENGTH]);
    expect(decodeChecks(entry)).toEqual([check]);
  });

  test.each<[string, string, readonly HostCheck['result'][]]>([
    ['an empty history', '', []],
    ['entries in order', '000000001+000000002?000000003-', ['passed', 'unreachable', 'failed']],
    ['a history without its unknown results', '000000001+000000002*000000003-', ['passed', 'failed']],
  ])('decodes %s', (_what, history, results) => {
    expect(decodeChecks(history).map(({ result }) => result)).toEqual(results);
  });
});

describe('indicatesPartition', () => {
  test.each([
    ['is false without checks', 0, 0, false],
    ['is false if the only host is unresponsive', 1, 0, false],
    ['is false if both of two hosts are unresponsive', 2, 0, false],
    ['is true if all of three hosts are unresponsive', 3, 0, true],
    ['is false if two of three hosts are unresponsive', 2, 1, false],
    ['is true if three of four hosts are unresponsive', 3, 1, true],
    ['is false if half of the hosts are unresponsive', 3, 3, false],
    ['is false if 10% of many hosts are unresponsive', 10, 90, false],
    ['is true if most of many hosts are unresponsive', 51, 49, true],
  ])('%s', (_what, unresponsive, responsive, expected) => {
    expect(indicatesPartition({ unresponsive, responsive })).toBe(expected);
  });
});
