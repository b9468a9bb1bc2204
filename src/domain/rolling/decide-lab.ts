import { expect, test } from 'vitest';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Policy } from './policy.ts';
import type { Circumstances } from './snapshot-lab.ts';
import { snapshotOf } from './snapshot-lab.ts';

/** In short: who starts, by number; and the standing, where it is more than `running`. */
function told({ roll, prepare, clear, exclude, standing: { state, pause, problem } }: Decision): string {
  const numbers = (text: string) => text.replaceAll('127.0.0.', '');
  const standing = `${pause ? `${state}(${pause})` : state}${problem && `: ${problem}`}`;
  const parts = [
    ...(roll.length > 0 ? [`rolls ${numbers(roll.join(' '))}`] : []),
    ...(prepare.length > 0 ? [`prepares ${numbers(prepare.join(' '))}`] : []),
    ...(clear.length > 0 ? [`clears ${numbers(clear.join(' '))}`] : []),
    ...(exclude.length > 0 ? [`excludes ${numbers(exclude.map(({ host }) => host).join(' '))}`] : []),
    ...(standing === 'running' ? [] : [numbers(standing)]),
  ];
  return parts.join(', ') || 'waits';
}

/** One promise of the rule. */
type Row = readonly [
  what: string,
  hosts: readonly string[],
  policy: Partial<Policy>,
  expected: string,
  circumstances?: Circumstances,
];

export const holds = (rows: readonly Row[]) =>
  test.each(rows.map(row => [row[0], row] as const))(
    '%s',
    (_what, [, hosts, policy, expected, circumstances]) => {
      expect(told(decide(snapshotOf(hosts, policy, circumstances)))).toBe(expected);
    },
  );
