import { expect, test } from 'vitest';
import { decideRollout } from '../../../src/domain/rollout/decide.ts';
import type { RolloutDecision } from '../../../src/domain/rollout/decision.ts';
import type { Policy } from '../../../src/domain/rollout/policy.ts';
import type { SnapshotOverrides } from './snapshot-fixtures.ts';
import { snapshotFixture } from './snapshot-fixtures.ts';

/** Hosts by number, and the status unless it is plain `running`. */
function summarizeDecision({
  start,
  stage,
  clearToReboot,
  exclude,
  status: { state, pause, problem },
}: RolloutDecision): string {
  const numbers = (text: string) => text.replaceAll('127.0.0.', '');
  const status = `${pause ? `${state}(${pause})` : state}${problem && `: ${problem}`}`;
  const parts = [
    ...(start.length > 0 ? [`starts ${numbers(start.join(' '))}`] : []),
    ...(stage.length > 0 ? [`stages ${numbers(stage.join(' '))}`] : []),
    ...(clearToReboot.length > 0 ? [`clears ${numbers(clearToReboot.join(' '))}`] : []),
    ...(exclude.length > 0 ? [`excludes ${numbers(exclude.map(({ host }) => host).join(' '))}`] : []),
    ...(status === 'running' ? [] : [numbers(status)]),
  ];
  return parts.join(', ') || 'waits';
}

type Row = readonly [
  what: string,
  hosts: readonly string[],
  policy: Partial<Policy>,
  expected: string,
  circumstances?: SnapshotOverrides,
];

export const expectDecisions = (rows: readonly Row[]) =>
  test.each(rows.map(row => [row[0], row] as const))('%s', (_what, [, hosts, policy, expected, overrides]) => {
    expect(summarizeDecision(decideRollout(snapshotFixture(hosts, policy, overrides)))).toBe(expected);
  });
