import type { Actor } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import type { LogFilter } from '../../domain/events/event-log.ts';
import { isPositionReadable } from '../../domain/events/event-log.ts';
import type { EventSink } from '../../domain/events/event-subscription.ts';
import type { Ports } from '../ports.ts';

export interface EventWish {
  /** Where the caller has come to; `undefined`: from now on. */
  readonly after: number | undefined;
  readonly filter: LogFilter;
  readonly includesOutput: boolean;
  /** The position of the log before the caller was let in. */
  readonly authorizedAtPosition: number;
}

const RETRY_S = 10;
const tooMany = new AppError(
  'too_many_event_subscribers',
  'this server has too many event streams (limit_event_subscribers); retry, or use another server',
  {
    retryAfterS: RETRY_S,
  },
);
const tooManyOfAccount = new AppError(
  'too_many_event_subscribers',
  'this account has too many event streams on this server (limit_event_subscribers_per_account); close some of them, or retry',
  { retryAfterS: RETRY_S },
);

/** Answers what begins to give the events. Whoever is at a position that is not kept is told so, and goes on at the end. */
export async function followEvents(
  { store, eventReaders }: Ports,
  { account, role, session }: Actor,
  { after: wanted, ...wish }: EventWish,
): Promise<((outlet: EventSink) => void) | AppError> {
  const after = wanted ?? wish.authorizedAtPosition;
  const state = await store.reads.log.state();
  if (eventReaders.isFull) return tooMany;
  if (eventReaders.isFullFor(account)) return tooManyOfAccount;
  const reset = isPositionReadable(after, state) ? undefined : { after, position: state.lastId };
  const startAfter = reset?.position ?? after;
  return outlet => eventReaders.follow({ account, role, session, ...wish, startAfter, reset }, outlet);
}
