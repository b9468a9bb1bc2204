import { invalidatesLogins } from '../domain/events/event-log.ts';
import type { RecordName } from '../domain/record-name.ts';
import { isRecordName } from '../domain/record-name.ts';
import type { Follower } from './tail.ts';

/** A follower of the log that tells which accounts have changed, on whichever server. */
export const accountChanges =
  (tell: (name: RecordName) => void): Follower =>
  entries => {
    for (const { type, subject } of entries)
      if (invalidatesLogins(type) && isRecordName(subject)) tell(subject);
  };
