import { LOCAL_ACTOR } from '../domain/accounts/actor.ts';
import type { Happening } from '../domain/events/happening.ts';
import { toOutboxEntry } from '../domain/events/outbox.ts';
import type { SavedOutput } from '../domain/events/output-hint.ts';
import type { Host } from '../domain/hosts/host.ts';
import type { RecordName } from '../domain/record-name.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import type { Claim } from '../domain/work/agenda.ts';
import type { Records } from '../store/records.ts';
import type { Lease } from './lease.ts';
import { LostClaim } from './lease.ts';
import type { TurnPorts } from './ports.ts';

/** A change of one host under way. */
export interface HostChange {
  readonly records: Records;
  /** Locked; `undefined` when it has been removed. */
  readonly host: Host | undefined;
  /** The store's clock, for the agenda. */
  readonly nowMs: number;
  /** The same moment as people read it. */
  readonly at: string;
  tell(happening: Happening): Promise<void>;
  /** An operation on this cluster may go on, once the change is written. */
  news(cluster: RecordName): void;
  /** What a step has said is saved, once the change is written. */
  outputSaved(output: SavedOutput): void;
}

/** Writes what happened to a host, as long as the claim to it is the newest; else it throws `LostClaim`. */
export async function changeHost<T>(
  { store, clock, news, outputSaved }: Pick<TurnPorts, 'store' | 'clock' | 'news' | 'outputSaved'>,
  lease: Lease,
  claim: Claim,
  work: (change: HostChange) => Promise<T>,
): Promise<T> {
  lease.require();
  const clusters = new Set<RecordName>();
  const outputs: SavedOutput[] = [];
  const answer = await store.transaction(async records => {
    clusters.clear();
    outputs.length = 0;
    const host = await records.hosts.lock(claim.host);
    if (!(await records.claims.hold(claim, lease.incarnation))) throw new LostClaim();
    const at = formatTimestamp(clock.now());
    return work({
      records,
      host,
      nowMs: await records.nowMs(),
      at,
      tell: happening => records.outbox.add([toOutboxEntry(happening, LOCAL_ACTOR, at)]),
      news: cluster => clusters.add(cluster),
      outputSaved: output => outputs.push(output),
    });
  });
  for (const cluster of clusters) news.add(cluster);
  for (const output of outputs) outputSaved(output);
  return answer;
}
