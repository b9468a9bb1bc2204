import type { Address } from '../../domain/addresses/address.ts';
import { clearedUntil } from '../../domain/rolling/freshness.ts';
import type { PlannedHost } from '../../domain/rolling/planned-host.ts';
import { entered } from '../../domain/rolling/planned-host.ts';
import { hostTold } from '../../domain/rolling/told.ts';
import type { OperationWork } from '../../domain/work/work.ts';
import type { EnginePorts } from '../ports.ts';
import type { DecisionChange } from './decision-change.ts';

/** What is done next on a host that was let go on. */
function workOf(
  { operation }: DecisionChange,
  { host, enrolment, attempt, prepared }: PlannedHost,
  kind: OperationWork['kind'],
): OperationWork {
  const { id, kind: operationKind, cluster, version, trace } = operation;
  const { drain, reboot, check, timeouts, minHealthyS } = operation.policy;
  const policy = { drain, reboot, check, timeouts, minHealthyS };
  const of = {
    ...{ operation: id, operationKind, cluster, version, policy, attempt, host, enrolment },
    ...(trace !== undefined && { trace }),
  };
  return kind === 'stage' ? { kind, ...of } : { kind, prepared, ...of };
}

/** Saves the work of hosts that may go on, and that they do. */
export async function startHosts(
  { operations }: Pick<EnginePorts, 'operations'>,
  change: DecisionChange,
  hosts: Readonly<Record<OperationWork['kind'], readonly Address[]>>,
): Promise<void> {
  const { records, operation, nowMs, at } = change;
  const works: OperationWork[] = [];
  const started: PlannedHost[] = [];
  for (const kind of ['stage', 'rollout'] as const) {
    for (const host of hosts[kind]) {
      const planned = await records.operationHosts.get(operation.id, host);
      // The last step of a bootstrap is under way: it is started on the next time.
      const isBusy = (await records.work.of(host)).some(({ kind: other }) => other === 'bootstrap');
      if (planned === undefined || isBusy) continue;
      const work = workOf(change, planned, kind);
      const phase = operations.procedureFor(work).steps[0]?.phase ?? planned.phase;
      works.push(work);
      // Said before it is done: whatever happens, no cordon of ours is unknown.
      const isCordoned = planned.isCordoned || phase === 'cordoning';
      // The budget was checked this moment: a host that is neither drained nor upgraded first may reboot at once.
      const clearedUntilMs = phase === 'armed' ? clearedUntil(change.nowMs, change.freshUntilMs) : null;
      started.push({ ...entered(planned, phase, at), isCordoned, clearedUntilMs });
    }
  }
  await records.work.save(works);
  // Before the rows of the operation, as turns lock them.
  await records.agenda.addWork(
    works.map(work => work.host),
    nowMs,
  );
  for (const planned of started) await records.operationHosts.update(operation.id, planned);
  await change.tell(started.map(planned => hostTold(operation, planned)));
}
