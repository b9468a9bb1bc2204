// A webhook: where events are sent to, which of them, and how far that has come. Its URL may hold a token, so it is kept like its secret.

import type { RecordName } from '../record-name.ts';
import type { DataKeys, Sealed, Secret, Vault } from '../secret.ts';
import { webhookLocation } from '../secret.ts';
import type { EventType, WebhookState } from '../vocabulary.ts';
import { EVENT_TYPES } from '../vocabulary.ts';

/** How far it has come. Milliseconds are those of the store's clock. */
export interface WebhookProgress {
  /** The last event that it is done with: delivered, or not wanted. */
  readonly position: number;
  /** How often the next one was tried. */
  readonly attempts: number;
  /** When it is tried again. */
  readonly dueAtMs: number;
  /** null: it does not fail. */
  readonly failingSinceMs: number | null;
  /** What went wrong last; empty: nothing since it was made, changed or resumed. */
  readonly problem: string;
  /** Since when nothing is sent any more. */
  readonly disabledAt: string | null;
  readonly deliveredId: number | null;
  readonly deliveredAt: string | null;
}

/** Which server has it. */
export interface WebhookClaim {
  /** By the store's clock; 0: nobody has it. */
  readonly claimedUntilMs: number;
  /** Rises with every server that takes it, and with every change of it. */
  readonly fence: number;
}

export interface Webhook extends WebhookClaim {
  readonly name: RecordName;
  readonly sealedUrl: Sealed;
  readonly sealedSecret: Sealed;
  /** Types, `noun.*` or `*`. */
  readonly events: readonly string[];
  readonly revision: string;
  readonly createdAt: string;
  readonly progress: WebhookProgress;
}

/** A webhook that begins after this event. */
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

/** One that goes on from where it stands, as if nothing had ever gone wrong. */
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

/** The types that are meant; none: there is no such type. */
export const expandEventTypes = (patterns: readonly string[]): readonly EventType[] =>
  EVENT_TYPES.filter(type => patterns.some(pattern => matchesPattern(pattern, type)));

/** Where a webhook sends to, and what it signs with, in clear. */
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
