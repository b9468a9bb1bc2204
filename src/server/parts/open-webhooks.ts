import type { Ports } from '../../app/ports.ts';
import type { WebhookPorts } from '../../events/webhooks/ports.ts';
import { Webhooks } from '../../events/webhooks/webhooks.ts';
import { WebhookClient } from '../../integrations/webhook-client.ts';
import type { Config } from '../configuration/settings.ts';
import { version } from '../version.ts';

/** Begins to send events to webhooks, and offers use cases the same way to send. */
export function openWebhooks(
  config: Pick<Config, 'allow_link_local' | 'webhook_allow_private' | 'webhook_disable_after_s'>,
  ports: Pick<WebhookPorts, 'store' | 'vault' | 'clock' | 'log' | 'tail' | 'meter'>,
): { readonly port: Ports['webhooks']; stop(): Promise<void> } {
  const { webhook_allow_private: allowsPrivate, webhook_disable_after_s: giveUpS } = config;
  const sender = new WebhookClient({
    ...{ clock: ports.clock, allowsPrivate, version },
    allowsLinkLocal: config.allow_link_local,
  });
  const { send } = sender;
  const webhooks = Webhooks.start({ ...ports, post: send, chance: Math.random, giveUpMs: giveUpS * 1000 });
  return {
    port: { allowsPrivate, post: send },
    stop: async () => {
      await webhooks.stop();
      await sender.close();
    },
  };
}
