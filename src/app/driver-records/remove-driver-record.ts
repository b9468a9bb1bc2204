import type { Actor } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { DEFAULT_NETWORK } from '../../domain/record-name.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import { change } from '../change.ts';
import type { ExpectedRevision } from '../expected-revision.ts';
import { revisionProblem } from '../expected-revision.ts';
import type { Ports } from '../ports.ts';
import { memoryScope } from './memory-scope.ts';
import { recordInUse } from './read-driver-records.ts';

/** Removes a network or container manager that no cluster uses; fine when it does not exist. */
export async function removeDriverRecord(
  ports: Ports,
  kind: DriverRecordKind,
  actor: Actor,
  { name, expected }: { name: RecordName; expected: ExpectedRevision | undefined },
): Promise<undefined | AppError> {
  if (kind === 'network' && name === DEFAULT_NETWORK) {
    return new AppError('built_in', `the network ${name} is built in and cannot be removed`);
  }
  return change(ports, actor, async ({ records, tell }) => {
    const current = await records.driverRecords.lock(kind, name);
    const problem = revisionProblem(expected, current);
    if (problem || current === undefined) return problem;
    const users = await records.clusters.someUsing(kind, name);
    if (users.length > 0)
      return recordInUse(kind, name, {
        users,
        effect: `; change or remove ${users.length === 1 ? 'this cluster' : 'these clusters'} first`,
      });
    await records.driverRecords.remove(kind, name);
    await records.driverMemory.forget(memoryScope(kind, name));
    await tell({ type: `${kind}.removed`, subject: name });
    return undefined;
  });
}
