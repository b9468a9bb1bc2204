import { ensureLogKey } from '../../app/audit/log-key.ts';
import { Refusals } from '../../app/audit/refusals.ts';
import type { Ports } from '../../app/ports.ts';
import type { OutputRef } from '../../domain/events/signal.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { accountChanges } from '../../events/account-changes.ts';
import { EventReaders } from '../../events/event-readers.ts';
import { LogCutter } from '../../events/log-cutter.ts';
import type { EventMeter } from '../../events/meter.ts';
import { OutputHints } from '../../events/output-hints.ts';
import { Sequencer } from '../../events/sequencer.ts';
import { sessionEnds } from '../../events/session-ends.ts';
import { Tail } from '../../events/tail.ts';
import type { Log } from '../../lib/log.ts';
import { DAY_MS } from '../../lib/time/day.ts';
import { within } from '../../lib/time/sleep.ts';
import type { Config } from '../configuration/settings.ts';
import type { Closing } from './closing.ts';
import { openWebhooks } from './open-webhooks.ts';

/** A store that hangs is not waited for: another server, or the next start, puts the rest into the log. */
const FOLLOWING_ENDS_WITHIN_MS = 5000;
/** For each of the two parts that record events. */
const RECORDING_ENDS_WITHIN_MS = 500;

type EventPorts = Pick<Ports, 'requestRefused' | 'settleLog' | 'eventPosition' | 'eventReaders' | 'webhooks'>;

export interface StartedEvents {
  /** What the use cases have of it. */
  readonly ports: EventPorts;
  readonly loginRefused: Refusals['login'];
  /** How many read events here, now. */
  readonly readersNow: () => number;
  /** What the engine has of it. */
  readonly outputSaved: (output: OutputRef) => void;
  /** Called for each account that was changed or removed, on whichever server. */
  onAccountChanged(listener: (name: RecordName) => void): void;
  /** Called when sessions were ended, on whichever server. */
  onSessionEnded(listener: () => void): void;
}

/** Starts all that stands between the outbox and those who want to know what happened. */
export async function startEvents(
  config: Config,
  {
    store,
    vault,
    clock,
    log,
    meter,
  }: Pick<Ports, 'store' | 'vault' | 'clock'> & { readonly log: Log; readonly meter: EventMeter },
  closing: Closing,
): Promise<StartedEvents> {
  const chain = { store, clock, log, key: await ensureLogKey({ store, vault }) };
  // Closed after all parts that record events: what they record while they are closed is in the log.
  const sequencer = Sequencer.start(chain);
  closing.last.add(() => within(clock, RECORDING_ENDS_WITHIN_MS, () => sequencer.stop()));
  const refusals = new Refusals({ store, clock, log });
  closing.last.add(() => within(clock, RECORDING_ENDS_WITHIN_MS, () => refusals.stop()));
  const following = closing.newStack();
  closing.first.add(() => within(clock, FOLLOWING_ENDS_WITHIN_MS, () => following.close()));
  const cutter = LogCutter.start({ ...chain, meter }, config.retention_events_days * DAY_MS);
  following.add(() => cutter.stop());
  const tail = await Tail.start({ store, clock, log });
  following.add(() => tail.stop());
  const webhooks = openWebhooks(config, { store, vault, clock, log, tail, meter });
  following.add(() => webhooks.stop());
  const hints = new OutputHints({ store, clock });
  following.add(() => hints.stop());
  const eventReaders = new EventReaders({
    ...{ clock, log, tail, hints, meter },
    readLog: (after, limit) => store.reads.log.after(after, limit),
    settings: {
      maxReaders: config.limit_event_subscribers,
      maxReadersOfAccount: config.limit_event_subscribers_per_account,
      maxUnreadBytes: config.limit_event_buffer_bytes,
      heartbeatMs: config.event_heartbeat_s * 1000,
    },
  });
  following.add(() => eventReaders.stop());
  return {
    ports: {
      requestRefused: (actor, refused) => refusals.request(actor, refused),
      settleLog: async () => {
        await refusals.flush();
        await sequencer.settle();
      },
      eventPosition: () => tail.position,
      eventReaders,
      webhooks: webhooks.port,
    },
    loginRefused: refused => refusals.login(refused),
    readersNow: () => eventReaders.count,
    outputSaved: output => hints.saved(output),
    onAccountChanged: listener => void tail.follow(accountChanges(listener)),
    onSessionEnded: listener => void tail.follow(sessionEnds(listener)),
  };
}
