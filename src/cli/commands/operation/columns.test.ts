import { expect, test } from 'vitest';
import { operationResponse } from '../../../../test/harness/events/operation-responses.ts';
import { createColorizer } from '../../output/format.ts';
import { renderTable } from '../../output/table.ts';
import { formatHostCounts, operationColumns, operationHostColumns } from './columns.ts';
import type { Operation } from './find-operation.ts';

const noon = '2026-11-15T12:00:00.000000';
const FAILED: Operation = {
  ...{ id: '1-GxcC6shPdBZni2', kind: 'upgrade', cluster: 'compute', status: 'failed', state: 'failed' },
  ...{ paused_by: null, problem: 'too_many_failures: 2 failed, at most 0 allowed', can: ['retry'] },
  counts: { total: 200, pending: 100, preparing: 0, queued: 0, in_flight: 0, done: 98, failed: 2, skipped: 0 },
  ...{ started_by: 'admin', started_at: noon, finished_at: noon },
};

test('the operation table shows the whole problem in a terminal of 80 columns', () => {
  const elevenHoursLaterMs = Date.parse('2026-11-15T23:50:00Z');
  const columns = operationColumns(elevenHoursLaterMs);
  expect(renderTable([FAILED], columns, { maxWidth: 80, isWide: false, colorize: createColorizer(false) })).toBe(
    [
      'ID                KIND     CLUSTER  STATE     DONE  FAILED  STARTED',
      '1-GxcC6shPdBZni2  upgrade  compute  failed  98/200       2  11h 50m ago',
      '    too_many_failures: 2 failed, at most 0 allowed',
      '',
    ].join('\n'),
  );
});

const { hosts: HOSTS } = operationResponse({
  '127.0.0.1': [['skipped', 1]],
  '127.0.0.2': [
    ['preflight', 1],
    ['staging', 2],
    ['applying', 30],
    ['done', 35],
  ],
  '127.0.0.3': [
    ['preflight', 1],
    ['staging', 2],
    ['cordoning', 36],
  ],
  '127.0.0.4': [
    ['preflight', 1],
    ['staging', 2],
  ],
  '127.0.0.5': [],
}).report;

const renderHosts = (hosts: typeof HOSTS, clock: Parameters<typeof operationHostColumns>[0]) =>
  renderTable(hosts, operationHostColumns(clock), { maxWidth: 80, isWide: false, colorize: createColorizer(false) });

const setHost = (address: string, fields: Partial<(typeof HOSTS)[number]>) => (host: (typeof HOSTS)[number]) =>
  host.address === address ? { ...host, ...fields } : host;

const OPERATION_HOSTS = HOSTS.map(setHost('127.0.0.1', { skip_reason: 'unhealthy', detail: 'unreachable' }))
  .map(setHost('127.0.0.1', { finished_at: '2026-11-15T12:00:01.000000' }))
  .map(setHost('127.0.0.2', { finished_at: '2026-11-15T12:00:35.000000' }))
  .map(setHost('127.0.0.4', { state: 'queued', detail: 'waiting for a slot' }));

test('the host table shows the time out of service, without the time in the queue, and why a host was skipped', () => {
  expect(renderHosts(OPERATION_HOSTS, { nowMs: Date.parse('2026-11-15T12:00:40Z'), finishedAt: null })).toBe(
    [
      'HOSTNAME  ADDRESS    STATE                DURATION  DETAIL',
      '-         127.0.0.1  skipped (unhealthy)            unreachable',
      '-         127.0.0.2  done                       5s',
      '-         127.0.0.3  cordoning                  4s',
      '-         127.0.0.4  queued                         waiting for a slot',
      '-         127.0.0.5  pending',
      '',
    ].join('\n'),
  );
});

test('the host table of an ended operation does not depend on the current time', () => {
  const clock = { nowMs: Date.parse('2026-11-15T13:00:00Z'), finishedAt: '2026-11-15T12:00:50.000000' };
  expect(renderHosts(OPERATION_HOSTS, clock)).toBe(
    [
      'HOSTNAME  ADDRESS    STATE                DURATION  DETAIL',
      '-         127.0.0.1  skipped (unhealthy)            unreachable',
      '-         127.0.0.2  done                       5s',
      '-         127.0.0.3  cordoning                 14s',
      '-         127.0.0.4  not started',
      '-         127.0.0.5  not started',
      '',
    ].join('\n'),
  );
});

test('the counts of an ended operation contain no queue', () => {
  const counts = { total: 6, pending: 1, preparing: 0, queued: 2, in_flight: 0, done: 2, failed: 1, skipped: 0 };
  expect(formatHostCounts({ counts, finished_at: null })).toBe('6: 1 pending, 2 queued, 2 done, 1 failed');
  expect(formatHostCounts({ counts, finished_at: noon })).toBe('6: 3 not started, 2 done, 1 failed');
});
