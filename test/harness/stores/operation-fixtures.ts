import type { RecordName } from '../../../src/domain/record-name.ts';
import type { ClusterOperation } from '../../../src/domain/rollout/operation.ts';
import type { Policy } from '../../../src/domain/rollout/policy.ts';
import { POLICY } from '../rollout/snapshot-fixtures.ts';

export const newOperation = (
  id: string,
  cluster: RecordName,
  { policy, ...overrides }: Partial<Omit<ClusterOperation, 'policy'>> & { policy?: Partial<Policy> } = {},
): ClusterOperation => ({
  ...{ id, cluster, kind: 'restart', version: '', hostCount: 0, policy: { ...POLICY, ...policy } },
  ...{ state: 'planned', pause: null, problem: '' },
  ...{
    acknowledgedFailures: 0,
    acceptedFailures: 0,
    assessment: 'initial',
    blockedSinceMs: null,
    ignoredHosts: [],
  },
  ...{ startedBy: 'someone', startedAt: '2030-01-01T00:00:00Z', finishedAt: null, isClusterRemoved: false },
  ...overrides,
});

export const OPERATION_REQUEST = { policyInput: {} } as const;
