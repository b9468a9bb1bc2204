import { counted } from '../../ui/words/counted.ts';
import type { Plan } from './put-operation.ts';

type Planned = Pick<Plan, 'kind' | 'hosts'>;

/** What the button says that starts it. */
export function startWords({ kind, hosts: planned }: Planned): string {
  const well = planned.filter(({ problem }) => problem === undefined).length;
  const of = counted(planned.length, 'host');
  return `Start ${kind} of ${well === planned.length ? of : `${well} of ${of}`}`;
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
  return `${count} of ${counted(plan.hosts.length, 'host')} would fail, or be left alone`;
}
