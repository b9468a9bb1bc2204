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

/** A list can be longer than the maximum number of arguments. */
type OneOrMany<Item> = Item | readonly Item[];

export interface UnitOfWork {
  readonly records: Repositories;
  /** Taken at the first call and therefore after waiting for locks; the same for the whole transaction. */
  now(): string;
  /** Call it after locking the changed row, so the events of a record are in commit order. */
  emit(...events: readonly OneOrMany<DomainEvent>[]): Promise<void>;
  /** Only if the host is monitored. */
  checkHostNow(host: Address): Promise<void>;
  requestReconcile(cluster: RecordName): void;
  createTasks(...tasks: readonly OneOrMany<Task>[]): Promise<void>;
}

type UnitOfWorkPorts = Pick<Ports, 'store'> & { readonly clock: Pick<Clock, 'now'> };

/** Commits nothing if `run` returns an AppError. */
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
      checkHostNow: async host => records.hostQueue.scheduleCheckNow(host, await records.nowMs()),
      requestReconcile: cluster => records.signals.add(`reconcile ${cluster}`),
      createTasks: async (...tasks) => {
        const { trace } = actor;
        const allTasks = trace === undefined ? tasks.flat() : tasks.flat().map(task => ({ ...task, trace }));
        await records.tasks.insert(allTasks, await records.nowMs());
      },
    });
  });

export interface PutResult<T> {
  readonly record: T;
  readonly isNew: boolean;
}

/** From `If-Match`. `*` matches any existing record. */
export type ExpectedRevision = '*' | readonly string[];

/** For a PUT without `If-Match`. `record`: such as `the network lab`. */
export const differentContent = (record: string): AppError =>
  new AppError('conflict', `${record} exists with different content; to replace it, send If-Match with its ETag`);

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
