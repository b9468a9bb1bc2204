import type { Actor } from '../../domain/actor.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { DEFAULT_NETWORK } from '../../domain/record-name.ts';
import type { DriverKind } from '../../domain/vocabulary.ts';
import type { IfMatch } from '../if-match.ts';
import { preconditionProblem } from '../if-match.ts';
import type { Ports } from '../ports.ts';
import { tell } from '../tell.ts';
import { memoryScope } from './memory-scope.ts';

/** Removes a network or container manager that no cluster uses; fine when it does not exist. */
export async function removeDriverRecord(
  { store, clock }: Ports,
  kind: DriverKind,
  actor: Actor,
  { name, ifMatch }: { name: RecordName; ifMatch: IfMatch | undefined },
): Promise<undefined | Refusal> {
  if (kind === 'network' && name === DEFAULT_NETWORK) {
    return new Refusal('built_in', `the network ${name} is built in and stays`);
  }
  return store.transaction(async records => {
    const current = await records.driverRecords.lock(kind, name);
    const problem = preconditionProblem(ifMatch, current);
    if (problem || current === undefined) return problem;
    const users = await records.clusters.someUsing(kind, name);
    if (users.length > 0)
      return new Refusal('in_use', `${name} is used by ${users.join(', ')}; change or remove that first`);
    await records.driverRecords.remove(kind, name);
    await records.driverMemory.forget(memoryScope(kind, name));
    await tell(records, clock, actor, [{ type: `${kind}.removed`, subject: name }]);
    return undefined;
  });
}
