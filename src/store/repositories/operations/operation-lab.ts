import type { RecordName } from '../../../domain/record-name.ts';
import type { ClusterOperation } from '../../../domain/rolling/operation.ts';
import type { Policy } from '../../../domain/rolling/policy.ts';
import { POLICY } from '../../../domain/rolling/snapshot-lab.ts';

/** An operation for tests, as it is the moment it was asked for. */
export const newOperation = (
  id: string,
  cluster: RecordName,
  { policy, ...more }: Partial<Omit<ClusterOperation, 'policy'>> & { policy?: Partial<Policy> } = {},
): ClusterOperation => ({
  ...{ id, cluster, kind: 'restart', version: '', planned: 0, policy: { ...POLICY, ...policy } },
  ...{ state: 'planned', pause: null, problem: '' },
  ...{ forgivenFailures: 0, acceptedFailures: 0, assessment: 'first', waitingSinceMs: null, ignored: [] },
  ...{ startedBy: 'someone', startedAt: '2030-01-01T00:00:00Z', finishedAt: null, isFormer: false },
  ...more,
});

export const ASKED = { wish: {} } as const;
