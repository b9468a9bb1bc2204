import type { Actor } from '../../domain/accounts/actor.ts';
import { Refusal } from '../../domain/errors.ts';
import type { LogFilter } from '../../domain/events/event-log.ts';
import { isPositionKept } from '../../domain/events/event-log.ts';
import type { EventOutlet } from '../../domain/events/event-reading.ts';
import type { Ports } from '../ports.ts';

export interface EventWish {
  /** Where the caller has come to; `undefined`: from now on. */
  readonly after: number | undefined;
  readonly filter: LogFilter;
  readonly wantsOutput: boolean;
  /** The position of the log before the caller was let in. */
  readonly admittedPosition: number;
}

const RETRY_S = 10;
const tooMany = new Refusal(
  'too_many_event_subscribers',
  'this server has too many event streams (limit_event_subscribers); retry, or use another server',
  {
    retryAfterS: RETRY_S,
  },
);
const tooManyOfAccount = new Refusal(
  'too_many_event_subscribers',
  'this account has too many event streams on this server (limit_event_subscribers_per_account); close some of them, or retry',
  { retryAfterS: RETRY_S },
);

/** Answers what begins to give the events. Whoever is at a position that is not kept is told so, and goes on at the end. */
export async function followEvents(
  { store, eventReaders }: Ports,
  { account, role, session }: Actor,
  { after: wanted, ...wish }: EventWish,
): Promise<((outlet: EventOutlet) => void) | Refusal> {
  const after = wanted ?? wish.admittedPosition;
  const state = await store.reads.log.state();
  if (eventReaders.isFull) return tooMany;
  if (eventReaders.isFullFor(account)) return tooManyOfAccount;
  const reset = isPositionKept(after, state) ? undefined : { after, position: state.lastId };
  const from = reset?.position ?? after;
  return outlet => eventReaders.follow({ account, role, session, ...wish, from, reset }, outlet);
}
