import { describe, expect, test } from 'vitest';
import { operationResponse } from '../../../../test/harness/events/operation-responses.ts';
import { blockedEffect, blockedReason, groupProblems, planWarning, startLabel } from './plan-summary.ts';
import type { Plan } from './start-request.ts';

type Host = Plan['hosts'][number];

const host = (address: string, problem?: string, hostname = ''): Host => ({
  ...{
    address,
    hostname,
    position: 0,
    control_plane: false,
    state: { status: 'active', reason: '', os: 'debian' },
    commands: [],
  },
  ...(problem !== undefined && { problem }),
});

type PlanSummaryInput = Pick<Plan, 'kind' | 'hosts' | 'would_start' | 'would_fail' | 'blocked_by' | 'policy'>;

const { policy } = operationResponse({}).report;

const createPlan = (hosts: readonly Host[]): PlanSummaryInput => ({
  ...{ kind: 'restart', hosts: [...hosts], would_start: true, would_fail: false, blocked_by: [], policy },
});

describe('plan summary', () => {
  test.each<[string, readonly Host[], string, string, readonly (readonly string[])[]]>([
    ['no hosts', [], 'Restart 0 hosts', '', []],
    ['a host without a problem', [host('::1')], 'Restart 1 host', '', []],
    [
      'some hosts with problems',
      [host('::1', 'a'), host('::2', 'b'), host('::3'), host('::4', 'b', 'edge-4')],
      'Restart 1 of 4 hosts',
      '3 of 4 hosts would not complete',
      [
        ['b', '::2', 'edge-4'],
        ['a', '::1'],
      ],
    ],
  ])('summarizes %s', (_title, hosts, start, warning, problems) => {
    const plan = createPlan(hosts);
    expect(startLabel(plan)).toBe(start);
    expect(planWarning(plan)).toBe(warning);
    expect(groupProblems(plan).map(({ problem, names }) => [problem, ...names])).toEqual(problems);
  });
});

describe('plan that is blocked by unavailable hosts', () => {
  const down = { hostname: '', reason: 'unreachable', detail: '', since: null } as const;
  const one = { would_start: false, blocked_by: [{ address: '::2', ...down }] };
  const two = { ...one, blocked_by: [...one.blocked_by, { address: '::3', ...down }] };

  test.each<[string, Partial<PlanSummaryInput>, ReturnType<typeof blockedEffect>, start: string]>([
    ['fails at once by default', one, 'fail', 'Restart anyway (will fail)'],
    [
      'pauses at once if the policy pauses on failure',
      { ...one, policy: { ...policy, on_failure: 'pause' } },
      ...(['pause', 'Restart anyway (will pause)'] as const),
    ],
    [
      'waits if the policy waits',
      { ...one, policy: { ...policy, wait: true } },
      ...(['wait', 'Restart 1 host'] as const),
    ],
    [
      'starts if the budget is large enough',
      { ...one, would_start: true },
      ...([undefined, 'Restart 1 host'] as const),
    ],
    [
      'fails if too many hosts would fail in preflight',
      { would_start: true, would_fail: true },
      ...([undefined, 'Restart anyway (will fail)'] as const),
    ],
    [
      'is not blocked by hosts if it does not start for another reason',
      { ...one, blocked_by: [] },
      ...([undefined, 'Restart 1 host'] as const),
    ],
  ])('%s', (_title, fields, effect, start) => {
    const plan = { ...createPlan([host('::1')]), ...fields };
    expect(blockedEffect(plan)).toBe(effect);
    expect(startLabel(plan)).toBe(start);
  });

  test.each<[string, Pick<Plan, 'blocked_by' | 'policy'>, string]>([
    ['one unavailable host uses all slots', { ...one, policy }, '1 host is unavailable; the limit is 1.'],
    [
      'two hosts use all slots of a percentage',
      { ...two, policy: { ...policy, max_unavailable: '25%' } },
      '2 hosts are unavailable; the limit is 25% (2 hosts).',
    ],
    [
      'more hosts are unavailable than max_excluded',
      { ...two, policy: { ...policy, unhealthy: 'exclude' } },
      '2 hosts are unavailable; the limit for excluded hosts is 10% (1 host).',
    ],
  ])('blockedReason explains that %s', (_title, plan, text) => {
    expect(blockedReason({ ...plan, members: 8 })).toBe(text);
  });
});
