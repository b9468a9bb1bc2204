import { sessionsEnded } from '../domain/events/account-events.ts';
import type { Follower } from './tail.ts';

/** A follower of the log that tells when sessions were ended, on whichever server. */
export const sessionEnds =
  (tell: () => void): Follower =>
  entries => {
    if (entries.some(entry => sessionsEnded(entry).length > 0)) tell();
  };
