import type { Actor } from '../../domain/accounts/account.ts';
import { hiddenEventTypes } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import type { LogFilter } from '../../domain/events/event-log.ts';
import { isPositionReadable } from '../../domain/events/event-log.ts';
import type { EventSink } from '../../domain/events/event-subscription.ts';
import type { PageRequest } from '../../domain/page.ts';
import type { LogQuery } from '../../store/repositories/events/event-log.ts';
import type { Ports } from '../ports.ts';

export interface SubscribeRequest {
  /** The last event that the client received. Undefined: start with new events. */
  readonly after: number | undefined;
  readonly filter: LogFilter;
  readonly includesOutput: boolean;
  /** Read before the client was authenticated. */
  readonly authorizedAtPosition: number;
}

const RETRY_S = 10;
const tooManySubscribers = new AppError(
  'too_many_event_subscribers',
  'this server has too many event streams (limit_event_subscribers); retry, or use another server',
  { retryAfterS: RETRY_S },
);
const tooManySubscribersOfAccount = new AppError(
  'too_many_event_subscribers',
  'this account has too many event streams on this server (40 % of limit_event_subscribers); close some of them, or retry',
  { retryAfterS: RETRY_S },
);

/** If the position is no longer in the log, the client gets a reset and continues at the end. */
export async function subscribeToEvents(
  { store, eventSubscribers }: Ports,
  { account, role, session }: Actor,
  { after: requestedPosition, ...request }: SubscribeRequest,
): Promise<((sink: EventSink) => void) | AppError> {
  const after = requestedPosition ?? request.authorizedAtPosition;
  const state = await store.reads.eventLog.getState();
  if (eventSubscribers.isFull) return tooManySubscribers;
  if (eventSubscribers.isFullFor(account)) return tooManySubscribersOfAccount;
  const reset = isPositionReadable(after, state) ? undefined : { after, position: state.lastId };
  const startAfter = reset?.position ?? after;
  return sink => eventSubscribers.subscribe({ account, role, session, ...request, startAfter, reset }, sink);
}

/** Newest first. */
export async function listAudit(
  { store, flushEventLog }: Ports,
  actor: Actor,
  query: LogQuery,
  page: PageRequest<number>,
) {
  await flushEventLog();
  return store.reads.eventLog.list({ ...query, without: hiddenEventTypes(actor.role) }, page);
}
