// The URL is encrypted, because it can hold a token.

import type { RecordName } from '../record-name.ts';
import type { DataKeys, Sealed, Secret, Vault } from '../secret.ts';
import { webhookLocation } from '../secret.ts';
import type { EventType, WebhookState } from '../vocabulary.ts';
import { EVENT_TYPES } from '../vocabulary.ts';

/** Times in milliseconds are of the clock of the store. */
export interface WebhookProgress {
  /** Delivered, or not matching the filter. */
  readonly position: number;
  /** For the next event. */
  readonly attempts: number;
  readonly dueAtMs: number;
  readonly failingSinceMs: number | null;
  /** The last one since the webhook was created, changed or resumed. */
  readonly problem: string;
  readonly disabledAt: string | null;
  readonly deliveredId: number | null;
  readonly deliveredAt: string | null;
}

export interface WebhookClaim {
  /** By the clock of the store; 0: not claimed. */
  readonly claimedUntilMs: number;
  /** Increases with every claim and every change of the webhook. */
  readonly fence: number;
}

export interface Webhook extends WebhookClaim {
  readonly name: RecordName;
  readonly sealedUrl: Sealed;
  readonly sealedSecret: Sealed;
  /** Event types, `resource.*` or `*`. */
  readonly events: readonly string[];
  readonly revision: string;
  readonly createdAt: string;
  readonly progress: WebhookProgress;
}

/** The first delivered event is the one after `position`. */
export const initialProgress = (position: number): WebhookProgress => ({
  position,
  attempts: 0,
  dueAtMs: 0,
  failingSinceMs: null,
  problem: '',
  disabledAt: null,
  deliveredId: null,
  deliveredAt: null,
});

export const resetProgress = ({ position, deliveredId, deliveredAt }: WebhookProgress): WebhookProgress => ({
  ...initialProgress(position),
  deliveredId,
  deliveredAt,
});

export const webhookState = ({
  disabledAt,
  failingSinceMs,
}: Pick<WebhookProgress, 'disabledAt' | 'failingSinceMs'>): WebhookState =>
  disabledAt !== null ? 'disabled' : failingSinceMs !== null ? 'failing' : 'active';

const matchesPattern = (pattern: string, type: EventType) =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));

export const expandEventTypes = (patterns: readonly string[]): readonly EventType[] =>
  EVENT_TYPES.filter(type => patterns.some(pattern => matchesPattern(pattern, type)));

export interface WebhookTarget {
  readonly url: Secret;
  readonly secret: Secret;
}

export const decryptTarget = async (
  vault: Vault,
  keys: DataKeys,
  { name, sealedUrl, sealedSecret }: Webhook,
): Promise<WebhookTarget> => ({
  url: await vault.open(sealedUrl, webhookLocation(name, 'url'), keys),
  secret: await vault.open(sealedSecret, webhookLocation(name, 'secret'), keys),
});
