import { partOf } from '../../domain/rolling/host-phase.ts';
import type { PlannedHost } from '../../domain/rolling/planned-host.ts';
import { stateOf } from '../../domain/rolling/planned-host.ts';
import { hostTold } from '../../domain/rolling/told.ts';
import type { OperationWork } from '../../domain/work/work.ts';
import type { HostChange } from '../change-host.ts';

/** Writes how far an operation has come on a host, and tells it when its state is another. */
export async function recordPlanned(
  { records, tell, news }: Pick<HostChange, 'records' | 'tell' | 'news'>,
  {
    operation,
    operationKind,
    host,
    cluster,
    attempt: of,
  }: Pick<OperationWork, 'operation' | 'operationKind' | 'host' | 'cluster' | 'attempt'>,
  change: (planned: PlannedHost) => PlannedHost,
): Promise<void> {
  const planned = await records.operationHosts.lock(operation, host);
  // Somebody has skipped it meanwhile.
  if (planned?.attempt !== of || partOf(planned.phase) === 'ended') return;
  const next = change(planned);
  if (next === planned) return;
  await records.operationHosts.update(operation, next);
  const [state, before] = [stateOf(next), stateOf(planned)];
  const isDecisionDue = next.isStaged !== planned.isStaged || (next.asksToReboot && !planned.asksToReboot);
  if (state === before && !isDecisionDue) return;
  if (state !== before) await tell(hostTold({ id: operation, cluster, kind: operationKind }, next));
  news(cluster);
}
