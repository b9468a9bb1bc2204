import type { KeyObject } from 'node:crypto';
import type { Vault } from '../domain/secret.ts';
import type { SendWebhook } from '../domain/webhooks/webhook-message.ts';
import type { Log } from '../lib/log.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import type { Store } from '../store/store.ts';
import type { LogTail } from './log-tail.ts';

/** What those need who write to the log. */
export interface EventLogPorts {
  readonly store: Store;
  readonly clock: TimerClock;
  readonly log: Pick<Log, 'error'>;
  /** Of the chain. */
  readonly key: KeyObject;
}

/** `rejected`: the receiver answered with an error status. `no_response`: the receiver did not answer. */
export const DELIVERY_RESULTS = ['delivered', 'rejected', 'no_response'] as const;
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number];

/** Who counts what becomes of events. */
export interface EventMetrics {
  /** One who read too slowly, or what it wanted to read was not there. */
  subscriberDisconnected(): void;
  /** Whether the oldest entries of the log are still those that were written, by the last attempt to remove some. */
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
  /** From 0 to 1. */
  readonly jitter: () => number;
  /** For how long one may fail until it is disabled. */
  readonly disableAfterMs: number;
  readonly metrics?: Pick<EventMetrics, 'webhookSent'>;
}

/** How a stop is told. */
export interface StopSignals {
  /** Nothing more is begun. */
  readonly stopping: AbortSignal;
  /** What is under way is given up. */
  readonly aborting: AbortSignal;
}

/** How long a server that is not heard of keeps a webhook. It is kept anew with each event. */
export const CLAIM_DURATION_MS = 15_000;
