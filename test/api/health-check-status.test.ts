import { expect, test } from 'vitest';
import type { HealthReport } from '../../src/domain/health-check.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

const REPORT: HealthReport = {
  state: 'lagging',
  intervalS: 60,
  lagS: 12.5,
  hosts: 1000,
  unreachable: 3,
  detail: 'checks are late',
};

describeServer(
  'GET /api/v0/health-checks',
  service => {
    test('returns the report of the engine', async () => {
      const { status, body } = await service().get('/api/v0/health-checks');
      const { intervalS: interval_s, lagS: lag_s, ...rest } = REPORT;
      expect([status, body]).toEqual([200, { ...rest, interval_s, lag_s }]);
    });
  },
  {},
  { healthReport: async () => REPORT },
);
