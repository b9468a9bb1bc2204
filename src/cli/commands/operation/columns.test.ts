import { expect, test } from 'vitest';
import { operationResponse } from '../../../../test/harness/events/operation-responses.ts';
import { createColorizer } from '../../output/format.ts';
import { renderTable } from '../../output/table.ts';
import { operationColumns, operationHostColumns } from './columns.ts';
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

test('the host table shows why a host was skipped', () => {
  const { hosts } = operationResponse({ '127.0.0.1': [['skipped', 1]] }).report;
  const skipped = hosts.map(host => ({ ...host, skip_reason: 'unhealthy' as const, detail: 'unreachable' }));
  const columns = operationHostColumns(0);
  expect(renderTable(skipped, columns, { maxWidth: 80, isWide: false, colorize: createColorizer(false) })).toBe(
    'HOSTNAME  ADDRESS    PHASE                DURATION  DETAIL\n-         127.0.0.1  skipped (unhealthy)            unreachable\n',
  );
});
