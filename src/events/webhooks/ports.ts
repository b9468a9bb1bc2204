import type { Vault } from '../../domain/secret.ts';
import type { SendWebhook } from '../../domain/webhooks/webhook-message.ts';
import type { Log } from '../../lib/log.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';
import type { EventMeter } from '../meter.ts';
import type { Tail } from '../tail.ts';

export interface WebhookPorts {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: AlarmClock;
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>;
  readonly tail: Pick<Tail, 'follow'>;
  readonly post: SendWebhook;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** For how long one may fail until it is disabled. */
  readonly giveUpMs: number;
  readonly meter?: Pick<EventMeter, 'webhookSent'>;
}

/** How a stop is told. */
export interface StopSignals {
  /** Nothing more is begun. */
  readonly leaving: AbortSignal;
  /** What is under way is given up. */
  readonly callingOff: AbortSignal;
}

/** How long a server that is not heard of keeps a webhook. It is kept anew with each event. */
export const LEASE_MS = 15_000;
