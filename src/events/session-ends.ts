import { endedSessionIds } from '../domain/events/event-log.ts';
import type { Follower } from './tail.ts';

/** A follower of the log that tells when sessions were ended, on whichever server. */
export const sessionEnds =
  (tell: () => void): Follower =>
  entries => {
    if (entries.some(entry => endedSessionIds(entry).length > 0)) tell();
  };
