import { RejectionRecorder } from '../../app/events/rejection-recorder.ts';
import { ensureEventLogKey } from '../../app/initialize-store.ts';
import type { Ports } from '../../app/ports.ts';
import { EventSubscribers } from '../../events/event-subscribers.ts';
import { LogPruner } from '../../events/log-pruner.ts';
import { LogTail } from '../../events/log-tail.ts';
import { OutputNotifier } from '../../events/output-notifier.ts';
import type { EventMetrics } from '../../events/ports.ts';
import { Sequencer } from '../../events/sequencer.ts';
import { WebhookDispatcher } from '../../events/webhooks/webhook-dispatcher.ts';
import { WebhookClient } from '../../integrations/webhook-client.ts';
import type { Log } from '../../lib/log.ts';
import { DAY_MS, waitUpTo } from '../../lib/time/clock.ts';
import type { Config } from '../configuration/settings.ts';
import { version } from '../process.ts';
import type { ShutdownSequence } from './shutdown-sequence.ts';

/** One account, or a client that fails in a loop, must not use all event streams. */
const MAX_SHARE_PER_ACCOUNT = 0.4;
/** The server closes an event stream with more unread bytes. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/** A store that hangs must not delay the shutdown. The next start sequences the remaining events. */
const READERS_STOP_TIMEOUT_MS = 5000;
/** For each of the sequencer and the rejection recorder. */
const WRITERS_STOP_TIMEOUT_MS = 500;

type EventPorts = Pick<Ports, 'recordRejection' | 'flushEventLog' | 'eventPosition' | 'eventSubscribers' | 'webhooks'>;

export async function startEvents(
  config: Config,
  {
    store,
    vault,
    clock,
    log,
    metrics,
  }: Pick<Ports, 'store' | 'vault' | 'clock'> & { readonly log: Log; readonly metrics: EventMetrics },
  shutdown: ShutdownSequence,
) {
  const chain = { store, clock, log, key: await ensureEventLogKey({ store, vault }) };
  // Closed after all components that record events, so that their last events reach the event log.
  const sequencer = Sequencer.start(chain);
  shutdown.last.add(() => waitUpTo(clock, WRITERS_STOP_TIMEOUT_MS, () => sequencer.stop()));
  const rejections = new RejectionRecorder({ store, clock, log });
  shutdown.last.add(() => waitUpTo(clock, WRITERS_STOP_TIMEOUT_MS, () => rejections.stop()));
  const readers = shutdown.createStack();
  shutdown.first.add(() => waitUpTo(clock, READERS_STOP_TIMEOUT_MS, () => readers.close()));
  const pruner = LogPruner.start({ ...chain, metrics }, config.retention_events_days * DAY_MS);
  readers.add(() => pruner.stop());
  const tail = await LogTail.start({ store, clock, log });
  readers.add(() => tail.stop());
  const { webhook_allow_private: allowsPrivate, allow_link_local: allowsLinkLocal } = config;
  const webhookClient = new WebhookClient({ clock, allowsPrivate, allowsLinkLocal, version });
  readers.add(() => webhookClient.close());
  const { send } = webhookClient;
  const disableAfterMs = config.webhook_disable_after_s * 1000;
  const webhookPorts = { store, vault, clock, log, tail, metrics, send, jitter: Math.random, disableAfterMs };
  const webhooks = WebhookDispatcher.start(webhookPorts);
  readers.add(() => webhooks.stop());
  const outputNotifier = new OutputNotifier({ store, clock });
  readers.add(() => outputNotifier.stop());
  const eventSubscribers = new EventSubscribers({
    clock,
    log,
    tail,
    outputNotifier,
    metrics,
    readLog: (after, limit) => store.reads.eventLog.readAfter(after, limit),
    settings: {
      maxSubscribers: config.limit_event_subscribers,
      maxSubscribersPerAccount: Math.ceil(config.limit_event_subscribers * MAX_SHARE_PER_ACCOUNT),
      maxBufferedBytes: MAX_BUFFERED_BYTES,
      heartbeatMs: config.event_heartbeat_s * 1000,
    },
  });
  readers.add(() => eventSubscribers.stop());
  const ports: EventPorts = {
    recordRejection: (actor, rejection) => rejections.recordRequest(actor, rejection),
    flushEventLog: async () => {
      await rejections.flush();
      await sequencer.flush();
    },
    eventPosition: () => tail.position,
    eventSubscribers,
    webhooks: { allowsPrivate, send },
  };
  return { ports, rejections, tail, eventSubscribers, outputNotifier };
}
