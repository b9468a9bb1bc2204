import type { SessionReference } from '../accounts/account.ts';
import type { Role } from '../vocabulary.ts';
import type { LogEntry, LogFilter } from './event-log.ts';
import type { OutputNotification } from './signal.ts';

/** Where somebody was who is told to look at everything anew, and where they go on. */
export interface EventReset {
  readonly after: number;
  readonly position: number;
}

/** Who reads what, and from where on. */
export interface EventSubscription {
  readonly account: string;
  readonly role: Role;
  /** By which it was let in: the reading ends with it. */
  readonly session: SessionReference | undefined;
  readonly filter: LogFilter;
  /** Whether hints of output are given as well. */
  readonly includesOutput: boolean;
  /** The first that is given is the one after this. */
  readonly startAfter: number;
  /** The position of the log before the account was let in: what happens to it later ends the reading. */
  readonly authorizedAtPosition: number;
  readonly reset: EventReset | undefined;
}

/** The way to somebody who reads events as they come. */
export interface EventSink {
  /** What was given and has not left yet. */
  readonly bufferedBytes: number;
  /** There is at least one; the list is the same object for all who are given the same. */
  sendEvents(entries: readonly LogEntry[]): void;
  /** There is at least one; the list is the same object for all who are given the same. */
  sendOutputNotifications(notifications: readonly OutputNotification[]): void;
  reset(reset: EventReset): void;
  /** Shows that all is well. `position`: everything up to it was given, or is not wanted. */
  sendHeartbeat(position: number | undefined): void;
  /** Resolves when more can be given, or nothing any more. */
  whenWritable(): Promise<void>;
  onClosed(callback: () => void): void;
  /** In order: it may come back. */
  end(): void;
  /** At once, whatever is under way. */
  abort(): void;
}
