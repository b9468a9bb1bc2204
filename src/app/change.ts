import type { Actor } from '../domain/accounts/account.ts';
import type { Address } from '../domain/addresses/address.ts';
import type { DomainEvent } from '../domain/events/domain-event.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { Task } from '../domain/tasks/task.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Records } from '../store/records.ts';
import type { Ports } from './ports.ts';

/** One of them, or a list, which may be longer than arguments can be. */
type Several<T> = T | readonly T[];

/** A change under way: the records in its transaction, and what goes with them. */
export interface Change {
  readonly records: Records;
  /** When it happens: one time for all of it, taken at the first asking, so after the locks were waited for. */
  now(): string;
  /**
   * Writes to the outbox what happened, by whom and from where. Called after the row that changes was locked: so entries about
   * one record are in the order in which they became true.
   */
  tell(...happenings: readonly Several<DomainEvent>[]): Promise<void>;
  /** Has a host that is watched checked at once. */
  checkNow(host: Address): Promise<void>;
  /** An operation on this cluster may go on. */
  news(cluster: RecordName): void;
  /** Saves work that the change leaves to be done. */
  saveWork(...works: readonly Several<Task>[]): Promise<void>;
}

type ChangePorts = Pick<Ports, 'store'> & { readonly clock: Pick<Clock, 'now'> };

/** Makes a change in one transaction: everything that `work` does, or nothing if it answers a Refusal. */
export const change = <T>(
  { store, clock }: ChangePorts,
  actor: Actor,
  work: (change: Change) => Promise<T>,
): Promise<T> =>
  store.transaction(records => {
    let at: string | undefined;
    const now = () => {
      at ??= formatTimestamp(clock.now());
      return at;
    };
    return work({
      records,
      now,
      tell: (...happenings) =>
        records.outbox.add(happenings.flat().map(happening => toOutboxEntry(happening, actor, now()))),
      checkNow: async host => records.agenda.checkNow(host, await records.nowMs()),
      news: cluster => records.signals.add(`reconcile ${cluster}`),
      saveWork: async (...works) => {
        const { trace } = actor;
        const all = trace === undefined ? works.flat() : works.flat().map(each => ({ ...each, trace }));
        await records.work.save(all);
        await records.agenda.addWork(
          all.map(work => work.host),
          await records.nowMs(),
        );
      },
    });
  });
