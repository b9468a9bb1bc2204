import { webhookPlace } from '../sealed-places.ts';
import type { KeptKeys, Secret, Vault } from '../secret.ts';
import type { Webhook } from './webhook.ts';

/** Where a webhook sends to, and what it signs with, in clear. */
export interface Receiver {
  readonly url: Secret;
  readonly secret: Secret;
}

export const openReceiver = async (
  vault: Vault,
  keys: KeptKeys,
  { name, sealedUrl, sealedSecret }: Webhook,
): Promise<Receiver> => ({
  url: await vault.open(sealedUrl, webhookPlace(name, 'url'), keys),
  secret: await vault.open(sealedSecret, webhookPlace(name, 'secret'), keys),
});
