import type { KeyObject } from 'node:crypto';
import type { Vault } from '../domain/secret.ts';
import type { SendWebhook } from '../domain/webhooks/webhook-message.ts';
import type { Log } from '../lib/log.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import type { Store } from '../store/store.ts';
import type { LogTail } from './log-tail.ts';

export interface EventLogPorts {
  readonly store: Store;
  readonly clock: TimerClock;
  readonly log: Pick<Log, 'error'>;
  readonly key: KeyObject;
}

/** `rejected`: the receiver returned an error status. */
export const DELIVERY_RESULTS = ['delivered', 'rejected', 'no_response'] as const;
type DeliveryResult = (typeof DELIVERY_RESULTS)[number];

export interface EventMetrics {
  /** The client read too slowly, or the log did not have the requested entries. */
  subscriberDisconnected(): void;
  /** The result of the last verification of the oldest entries, before pruning. */
  logVerified(isIntact: boolean): void;
  webhookSent(result: DeliveryResult, seconds: number): void;
}

export interface WebhookPorts {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: TimerClock;
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>;
  readonly tail: Pick<LogTail, 'subscribe'>;
  readonly send: SendWebhook;
  readonly jitter: () => number;
  /** A webhook that fails for this long is disabled. */
  readonly disableAfterMs: number;
  readonly metrics?: Pick<EventMetrics, 'webhookSent'>;
}

export interface StopSignals {
  readonly stopping: AbortSignal;
  readonly aborting: AbortSignal;
}

/** The claim of a server that dies expires after this time. Each delivery extends it. */
export const WEBHOOK_CLAIM_MS = 15_000;
