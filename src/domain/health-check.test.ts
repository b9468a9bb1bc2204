import { describe, expect, test } from 'vitest';
import type { HostCheck } from './health-check.ts';
import { CHECK_ENTRY_LENGTH, decodeChecks, encodeCheck, indicatesPartition } from './health-check.ts';

describe('the history of checks', () => {
  test.each<[HostCheck, string]>([
    [{ at: '1970-01-01T00:00:00.000000', result: 'passed' }, '000000000+'],
    [{ at: '2026-11-15T08:30:00.001000', result: 'unreachable' }, '0mwhkqj41?'],
    [{ at: '2059-12-31T23:59:59.999000', result: 'failed' }, '108qqi2nz-'],
  ])('has %j as an entry of its fixed length', (check, entry) => {
    expect([encodeCheck(check), entry.length]).toEqual([entry, CHECK_ENTRY_LENGTH]);
    expect(decodeChecks(entry)).toEqual([check]);
  });

  test.each<[string, string, readonly HostCheck['result'][]]>([
    ['nothing of a host that was not checked yet', '', []],
    ['entries in their order', '000000001+000000002?000000003-', ['passed', 'unreachable', 'failed']],
    ['none whose result it does not know', '000000001+000000002*000000003-', ['passed', 'failed']],
  ])('tells %s', (_what, history, results) => {
    expect(decodeChecks(history).map(({ result }) => result)).toEqual(results);
  });
});

describe('whether a server looks partitioned', () => {
  test.each([
    ['nobody was looked at', 0, 0, false],
    ['its only host is silent', 1, 0, false],
    ['both of its hosts are silent: that may happen', 2, 0, false],
    ['all of three are silent', 3, 0, true],
    ['two of three are silent', 2, 1, false],
    ['three of four are silent', 3, 1, true],
    ['half of them are silent: that is not most', 3, 3, false],
    ['a tenth of many is silent', 10, 90, false],
    ['most of many are silent', 51, 49, true],
  ])('%s', (_what, unresponsive, responsive, expected) => {
    expect(indicatesPartition({ unresponsive, responsive })).toBe(expected);
  });
});
