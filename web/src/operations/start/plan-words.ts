import { effectOfBlockedStart, limitReachedBy } from '#client/blocking-hosts.ts';
import { counted } from '../../ui/words/counted.ts';
import { begun } from '../../ui/words/sentence.ts';
import { limitWords } from '../limit-words.ts';
import type { Plan } from './put-operation.ts';

type Planned = Pick<Plan, 'kind' | 'hosts' | 'would_start' | 'blocked_by' | 'policy'>;

/** What an operation does if hosts that are already unavailable use all slots; `undefined`: no such hosts block it. */
export function blockedEffect({
  would_start,
  blocked_by,
  policy,
}: Pick<Plan, 'would_start' | 'blocked_by' | 'policy'>): 'wait' | 'fail' | 'pause' | undefined {
  if (would_start || blocked_by.length === 0) return undefined;
  return effectOfBlockedStart(policy);
}

/** Why it is blocked. */
export function blockedWords(
  { blocked_by, policy }: Pick<Plan, 'blocked_by' | 'policy'>,
  members: number,
): string {
  return limitWords(blocked_by.length, limitReachedBy({ policy, blockedBy: blocked_by, members }));
}

/** What the button says that starts it. */
export function startWords(plan: Planned): string {
  const { kind, hosts: planned } = plan;
  const effect = blockedEffect(plan);
  if (effect === 'fail' || effect === 'pause') return `${begun(kind)} anyway (will ${effect})`;
  const well = planned.filter(({ problem }) => problem === undefined).length;
  const of = counted(planned.length, 'host');
  return `${begun(kind)} ${well === planned.length ? of : `${well} of ${of}`}`;
}

export interface PlanProblem {
  readonly problem: string;
  readonly addresses: readonly string[];
}

/** Each problem that is known before it begins, with the hosts that have it; those of most hosts first. */
export function problemsOf({ hosts: planned }: Pick<Plan, 'hosts'>): readonly PlanProblem[] {
  const troubled = planned.filter(({ problem }) => problem !== undefined);
  return [...Map.groupBy(troubled, ({ problem = '' }) => problem)]
    .map(([problem, found]) => ({ problem, addresses: found.map(({ address }) => address) }))
    .sort((a, b) => b.addresses.length - a.addresses.length);
}

/** How many have one; empty where none has. */
export function troubleWords(plan: Pick<Plan, 'hosts'>): string {
  const count = plan.hosts.filter(({ problem }) => problem !== undefined).length;
  if (count === 0) return '';
  return `${count} of ${counted(plan.hosts.length, 'host')} would not complete`;
}
