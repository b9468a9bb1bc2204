import type { Actor } from '../domain/accounts/account.ts';
import type { Address } from '../domain/addresses/address.ts';
import { AppError } from '../domain/errors.ts';
import type { DomainEvent } from '../domain/events/domain-event.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { Task } from '../domain/tasks/task.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Repositories } from '../store/repositories/index.ts';
import type { Ports } from './ports.ts';

/** One of them, or a list, which may be longer than arguments can be. */
type OneOrMany<Item> = Item | readonly Item[];

/** A change under way: the records in its transaction, and what goes with them. */
export interface UnitOfWork {
  readonly records: Repositories;
  /** When it happens: one time for all of it, taken at the first asking, so after the locks were waited for. */
  now(): string;
  /**
   * Writes to the outbox what happened, by whom and from where. Called after the row that changes was locked: so entries about
   * one record are in the order in which they became true.
   */
  emit(...events: readonly OneOrMany<DomainEvent>[]): Promise<void>;
  /** Has a host that is watched checked at once. */
  checkHostNow(host: Address): Promise<void>;
  /** An operation on this cluster may go on. */
  requestReconcile(cluster: RecordName): void;
  /** Saves work that the change leaves to be done. */
  createTasks(...tasks: readonly OneOrMany<Task>[]): Promise<void>;
}

type UnitOfWorkPorts = Pick<Ports, 'store'> & { readonly clock: Pick<Clock, 'now'> };

/** Makes a change in one transaction: everything that `work` does, or nothing if it answers a Refusal. */
export const runUnitOfWork = <T>(
  { store, clock }: UnitOfWorkPorts,
  actor: Actor,
  run: (unit: UnitOfWork) => Promise<T>,
): Promise<T> =>
  store.transaction(records => {
    let at: string | undefined;
    const now = () => {
      at ??= formatTimestamp(clock.now());
      return at;
    };
    return run({
      records,
      now,
      emit: (...events) => records.outbox.add(events.flat().map(event => toOutboxEntry(event, actor, now()))),
      checkHostNow: async host => records.hostQueue.checkNow(host, await records.nowMs()),
      requestReconcile: cluster => records.signals.add(`reconcile ${cluster}`),
      createTasks: async (...tasks) => {
        const { trace } = actor;
        const allTasks = trace === undefined ? tasks.flat() : tasks.flat().map(task => ({ ...task, trace }));
        await records.tasks.insert(allTasks);
        await records.hostQueue.addTasks(
          allTasks.map(task => task.host),
          await records.nowMs(),
        );
      },
    });
  });

/** What a PUT that did not fail answers. */
export interface PutResult<T> {
  readonly record: T;
  /** Whether it made something, rather than finding it there. */
  readonly isNew: boolean;
}

/** What a caller says of the record it wants to change: any that exists, or one of these revisions. */
export type ExpectedRevision = '*' | readonly string[];

/** The error of a request without a revision for a record, such as `the network lab`, that exists with different content. */
export const differentContent = (record: string): AppError =>
  new AppError(
    'conflict',
    `${record} exists with different content; to replace it, send If-Match with its ETag`,
  );

/** Refuses when the caller's idea of the record is not the record that is there. Without an idea there is nothing to refuse. */
export function checkRevision(
  expected: ExpectedRevision | undefined,
  current: { readonly revision: string } | undefined,
): AppError | undefined {
  if (expected === undefined) return undefined;
  if (current === undefined) return new AppError('precondition_failed', 'the record does not exist');
  if (expected === '*' || expected.includes(current.revision)) return undefined;
  return new AppError(
    'precondition_failed',
    'the record has changed since it was read; read it again and send its new ETag',
  );
}
