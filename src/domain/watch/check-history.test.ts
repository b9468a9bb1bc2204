import { describe, expect, test } from 'vitest';
import type { HostCheck } from './check-history.ts';
import { CHECK_ENTRY_LENGTH, checkEntry, checksIn } from './check-history.ts';

describe('the history of checks', () => {
  test.each<[HostCheck, string]>([
    [{ at: '1970-01-01T00:00:00.000000', result: 'passed' }, '000000000+'],
    [{ at: '2026-11-15T08:30:00.001000', result: 'unreachable' }, '0mwhkqj41?'],
    [{ at: '2059-12-31T23:59:59.999000', result: 'failed' }, '108qqi2nz-'],
  ])('has %j as an entry of its fixed length', (check, entry) => {
    expect([checkEntry(check), entry.length]).toEqual([entry, CHECK_ENTRY_LENGTH]);
    expect(checksIn(entry)).toEqual([check]);
  });

  test.each<[string, string, readonly HostCheck['result'][]]>([
    ['nothing of a host that was not checked yet', '', []],
    ['entries in their order', '000000001+000000002?000000003-', ['passed', 'unreachable', 'failed']],
    ['none whose result it does not know', '000000001+000000002*000000003-', ['passed', 'failed']],
  ])('tells %s', (_what, history, results) => {
    expect(checksIn(history).map(({ result }) => result)).toEqual(results);
  });
});
