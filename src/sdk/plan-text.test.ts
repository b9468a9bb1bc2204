import { expect, test } from 'vitest';
import { operationResponse } from '../../test/harness/events/operation-responses.ts';
import { describePlan } from './plan-text.ts';

type Plan = Parameters<typeof describePlan>[0];

const { policy } = operationResponse({}).report;

const createPlan = (
  count: number,
  problems: number,
  { max_unavailable = 1, ...fields }: Partial<Plan> & { readonly max_unavailable?: number | string } = {},
): Plan => ({
  ...{ kind: 'restart', cluster: 'edge', members: count, estimated_duration_s: null },
  policy: { ...policy, max_unavailable },
  hosts: Array.from({ length: count }, (_, index) => ({
    ...{ address: `127.0.0.${index}`, hostname: '', position: index, control_plane: false, commands: [] },
    state: { status: 'active', reason: '', os: 'debian' },
    ...(index < problems && { problem: 'not_ready: no' }),
  })),
  ...fields,
});

test.each<[string, Plan]>([
  [
    'Restarts 14 of 15 hosts of edge, at most 2 at a time, about 25 minutes.',
    createPlan(15, 1, { max_unavailable: 2, estimated_duration_s: 1500 }),
  ],
  ['Restarts all 3 hosts of edge, one at a time.', createPlan(3, 0)],
  [
    'Upgrades all 8 hosts of edge, at most 4 at a time, about a minute.',
    createPlan(8, 0, { kind: 'upgrade', max_unavailable: '50%', estimated_duration_s: 5 }),
  ],
  [
    'Deploys 44.1 to the only host of edge, about 167 minutes.',
    createPlan(1, 0, { kind: 'deploy', version: '44.1', estimated_duration_s: 10_000 }),
  ],
  ['Restarts the only host of edge, about 4 hours.', createPlan(1, 0, { estimated_duration_s: 14_400 })],
  ['Restarts all 2 hosts of edge, at most 2 at a time.', createPlan(2, 0, { max_unavailable: 9 })],
  ['Restarts 1 of 9 hosts of edge.', createPlan(1, 0, { members: 9 })],
  ['The restart would change no host of edge.', createPlan(2, 2)],
])('describes a plan: %s', (text, plan) => {
  expect(describePlan(plan)).toBe(text);
});
