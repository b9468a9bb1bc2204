import { describe, expect, test } from 'vitest';
import { operationResponse } from '../../../../test/harness/events/operation-responses.ts';
import type { Operation } from '../../operations/operation-summary.ts';
import { formatSkipReason } from '../../operations/operation-summary.ts';
import { failureAdvice, formatOutcome, formatStopReason } from './status-banner-text.ts';

const NONE = { total: 3, pending: 0, preparing: 0, queued: 0, in_flight: 0, done: 0, failed: 0, skipped: 0 };
const noon = '2026-11-15T12:00:00.000000';

describe('formatOutcome', () => {
  test.each<[Operation['state'], Partial<typeof NONE>, finishedAt: string | null, string]>([
    ['finished', { done: 3 }, '2026-11-15T12:03:20.000000', 'Finished after 3m 20s.'],
    ['finished', { done: 2, failed: 1 }, null, 'Completed with failures.'],
    ['failed', { done: 1, failed: 1, skipped: 1 }, noon, 'Failed after 0s.'],
    ['cancelled', { skipped: 3 }, null, 'Cancelled.'],
  ])('formats the outcome of a %s operation with %j', (state, counts, finished_at, text) => {
    expect(formatOutcome({ state, started_at: noon, finished_at }, { ...NONE, ...counts })).toBe(text);
  });
});

describe('failureAdvice', () => {
  test.each<[number, Operation['can'], string]>([
    [
      1,
      ['retry', 'skip'],
      '1 host failed. Check the output, fix the problem, then retry it, or skip it to continue without it.',
    ],
    [2, ['retry'], '2 hosts failed. Check the output, fix the problem, then retry them.'],
    [
      2,
      ['skip', 'cancel'],
      '2 hosts failed. Check the output, fix the problem, then skip them to continue without them.',
    ],
    [1, [], '1 host failed. Check the output, fix the problem, then start a new operation for it.'],
  ])('returns the advice for %i failed hosts with the allowed actions %j', (failed, can, text) => {
    expect(failureAdvice(failed, { can })).toBe(text);
  });
});

describe('formatStopReason', () => {
  const { budget, policy } = operationResponse({}).report;
  const outage = { address: '127.0.0.2', hostname: '', reason: 'unreachable', detail: '', since: null } as const;

  test.each<[string, string, count: number, members: number | undefined, Partial<typeof policy>, string]>([
    [
      'one host uses all slots',
      ...(['budget_exhausted: x', 1, 8, {}] as const),
      'budget_exhausted: 1 host is unavailable; the limit is 1.',
    ],
    [
      'two hosts pause an operation, with a number of hosts for a percentage',
      ...(['', 2, undefined, { max_unavailable: '25%' }] as const),
      'budget_exhausted: 2 hosts are unavailable; the limit is 25% (1 host).',
    ],
    [
      'a ramp allows fewer hosts than the policy',
      ...(['', 1, 8, { max_unavailable: 3 }] as const),
      'budget_exhausted: 1 host is unavailable; the limit is 1.',
    ],
    [
      'too many hosts are excluded, with a number of hosts for a percentage',
      ...(['too_many_unhealthy: x', 3, 20, {}] as const),
      'too_many_unhealthy: 3 hosts are unavailable; the limit for excluded hosts is 10% (2 hosts).',
    ],
    [
      'too many hosts are excluded in a cluster that is not loaded',
      ...(['too_many_unhealthy: x', 3, undefined, {}] as const),
      'too_many_unhealthy: 3 hosts are unavailable; the limit for excluded hosts is 10%.',
    ],
  ])('explains that %s', (_title, problem, count, members, fields, text) => {
    const unavailable_hosts = Array.from({ length: count }, () => outage);
    const stopped = { problem, unavailable_hosts, budget, policy: { ...policy, ...fields } };
    expect(formatStopReason(stopped, members)).toBe(text);
  });

  test('formatSkipReason describes an excluded host', () => {
    expect(formatSkipReason('unhealthy')).toBe('Skipped: the host was unavailable and was excluded.');
  });
});
