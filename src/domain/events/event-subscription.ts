import type { SessionReference } from '../accounts/account.ts';
import type { Role } from '../vocabulary.ts';
import type { LogEntry, LogFilter } from './event-log.ts';
import type { OutputNotification } from './signal.ts';

/** The subscriber missed events after `after`: it must reload its state and continues at `position`. */
export interface EventReset {
  readonly after: number;
  readonly position: number;
}

export interface EventSubscription {
  readonly account: string;
  readonly role: Role;
  /** The subscription ends with the session. */
  readonly session: SessionReference | undefined;
  readonly filter: LogFilter;
  readonly includesOutput: boolean;
  readonly startAfter: number;
  /** Read before the client was authenticated: later changes of the account end the subscription. */
  readonly authorizedAtPosition: number;
  readonly reset: EventReset | undefined;
}

export interface EventSink {
  /** Written but not sent yet. */
  readonly bufferedBytes: number;
  /** Subscribers with the same filter get the same array object, so it can be serialized once. */
  sendEvents(entries: readonly LogEntry[]): void;
  sendOutputNotifications(notifications: readonly OutputNotification[]): void;
  reset(reset: EventReset): void;
  /** All matching events up to `position` have been sent. */
  sendHeartbeat(position: number | undefined): void;
  /** Resolves when the sink accepts more data or is closed. */
  whenWritable(): Promise<void>;
  onClosed(callback: () => void): void;
  /** Ends the stream cleanly; the client may reconnect. */
  end(): void;
  abort(): void;
}
