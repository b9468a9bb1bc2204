import type { Happening } from '../events/happening.ts';
import type { ClusterOperation, Standing } from './operation.ts';
import { isOpen, pausedBy } from './operation.ts';
import type { PlannedHost } from './planned-host.ts';
import { stateOf } from './planned-host.ts';

type Named = Pick<ClusterOperation, 'id' | 'cluster' | 'kind'>;

const why = (problem: string) => (problem === '' ? {} : { problem });

/** How a host of an operation is now, as it is told. */
export const hostTold = ({ id, cluster, kind }: Named, planned: PlannedHost): Happening => ({
  type: 'operation.host',
  subject: id,
  cluster,
  host: planned.host,
  operation: id,
  data: { kind, state: stateOf(planned), attempt: planned.attempt, ...why(planned.problem) },
});

/** Where an operation stands now, as it is told; nothing where that is as before. */
export function standingTold(
  { id, cluster, kind, ...before }: Named & Standing,
  { state, pause, problem }: Standing,
): readonly Happening[] {
  if (state === before.state && pause === before.pause) return [];
  const happened = { subject: id, cluster, operation: id };
  if (!isOpen({ state }))
    return [{ type: 'operation.ended', ...happened, data: { kind, state, ...why(problem) } }];
  const reason = pause && { paused_by: pausedBy(pause) };
  return [{ type: 'operation.state', ...happened, data: { kind, state, ...reason, ...why(problem) } }];
}
