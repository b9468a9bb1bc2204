// Servers that send to webhooks, in virtual time: a real store, real messages over HTTP to receivers on loopback, and servers that can be
// frozen and killed.

import { createSecretKey, randomBytes } from 'node:crypto';
import { ensureDataKey } from '../../../src/app/initialize-store.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { DomainEvent } from '../../../src/domain/events/domain-event.ts';
import { toOutboxEntry } from '../../../src/domain/events/domain-event.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import type { Vault } from '../../../src/domain/secret.ts';
import { Secret, webhookLocation } from '../../../src/domain/secret.ts';
import { formatTimestamp } from '../../../src/domain/timestamp.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { initialProgress } from '../../../src/domain/webhooks/webhook.ts';
import type { SendWebhook } from '../../../src/domain/webhooks/webhook-message.ts';
import { LogTail } from '../../../src/events/log-tail.ts';
import { Sequencer } from '../../../src/events/sequencer.ts';
import { WebhookDispatcher } from '../../../src/events/webhooks/webhook-dispatcher.ts';
import { WebhookClient } from '../../../src/integrations/webhook-client.ts';
import { VirtualClock } from '../../../src/lib/time/virtual-clock.ts';
import { openVault } from '../../../src/secrets/keyring.ts';
import type { Store } from '../../../src/store/store.ts';
import { countCalls } from '../simulation/count-calls.ts';
import { KillableServer } from '../simulation/killable-server.ts';
import type { StoreKind, StorePlace } from '../stores/stores.ts';
import { makeStorePlace, openPlace } from '../stores/stores.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

const HOUR_MS = 3_600_000;

export const SECRET = 'the secret of the webhook';

interface LabServer {
  readonly control: KillableServer;
  readonly webhooks: WebhookDispatcher;
  /** Nothing is moved into the log any more: hours pass faster. */
  rest(): Promise<void>;
  /** Everything that it has logged. */
  readonly log: readonly string[];
}

export class WebhookLab {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly #place: StorePlace;
  readonly #vault: Vault;
  readonly #calls: ReturnType<typeof countCalls>;
  readonly #receivers: { readonly receiver: WebhookReceiver; underWay: number }[] = [];
  readonly #closers: (() => Promise<unknown>)[] = [];

  private constructor(
    place: StorePlace,
    store: Store,
    vault: Vault,
    clock: VirtualClock,
    calls: ReturnType<typeof countCalls>,
  ) {
    this.#place = place;
    this.store = store;
    this.#vault = vault;
    this.clock = clock;
    this.#calls = calls;
  }

  static async open(kind: StoreKind): Promise<WebhookLab> {
    const place = await makeStorePlace(kind, { isForgetful: true });
    const calls = countCalls();
    const made: { lab?: WebhookLab } = {};
    const clock = new VirtualClock({
      isIdle: () => calls.underWay === 0 && made.lab?.areReceiversQuiet() !== false,
    });
    const store = calls.counted(await openPlace(place, { clock }));
    const key = randomBytes(32);
    await ensureDataKey({ store }, () => [key]);
    const vault = await openVault(() => [key], store.reads.dataKeys);
    made.lab = new WebhookLab(place, store, vault, clock, calls);
    return made.lab;
  }

  async end(): Promise<void> {
    await this.clear();
    await this.store.close();
    await this.#place.remove();
  }

  /** No servers, no receivers, no webhooks; what happened stays. */
  async clear(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
    this.#receivers.length = 0;
    await this.store.transaction(async records => {
      const { items } = await records.webhooks.listNames({});
      for (const name of items) await records.webhooks.remove(name);
    });
  }

  /** No message is under way but to those who keep it waiting. */
  areReceiversQuiet(): boolean {
    return this.#receivers.every(({ receiver, underWay }) => underWay === 0 || receiver.isHolding);
  }

  async startReceiver(): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start();
    this.#receivers.push({ receiver, underWay: 0 });
    this.#closers.push(() => receiver.stop());
    return receiver;
  }

  async startServer({ hasOwnStore = false }: { readonly hasOwnStore?: boolean } = {}): Promise<LabServer> {
    const control = new KillableServer();
    const opened = hasOwnStore
      ? this.#calls.counted(await openPlace(this.#place, { clock: this.clock }))
      : this.store;
    const [store, clock] = [control.store(opened), control.clock(this.clock)];
    // By a clock that goes on when the server is dead or frozen: so does what it has handed to the kernel.
    const sender = new WebhookClient({
      clock: this.clock,
      allowsPrivate: true,
      allowsLinkLocal: false,
      version: 'test',
    });
    const lines: string[] = [];
    const note = (details: unknown, message?: string) =>
      void lines.push(`${JSON.stringify(details)} ${message}`);
    const log = { info: note, warn: note, error: note };
    const sequencer = Sequencer.start({ store, clock, log, key: createSecretKey(Buffer.alloc(32)) });
    const tail = await LogTail.start({ store, clock, log });
    const { post: send } = control.calls({ post: this.#counted(sender.send) });
    const webhooks = WebhookDispatcher.start({
      ...{ store, clock, log, tail, send, vault: this.#vault },
      jitter: () => 0,
      disableAfterMs: HOUR_MS,
    });
    this.#closers.push(async () => {
      control.kill();
      await sender.close();
      if (hasOwnStore) await opened.close();
    });
    return {
      control,
      webhooks,
      log: lines,
      rest: async () => {
        await tail.stop();
        await sequencer.stop();
      },
    };
  }

  async makeWebhook(name: string, url: string, events: readonly string[] = ['*']): Promise<void> {
    const record = toRecordName(name);
    await this.store.transaction(async records => {
      const seal = (text: string, column: 'url' | 'secret') =>
        this.#vault.seal(new Secret(text), webhookLocation(record, column), records.dataKeys);
      await records.webhooks.insertOrLock({
        name: record,
        sealedUrl: await seal(url, 'url'),
        sealedSecret: await seal(SECRET, 'secret'),
        events,
        revision: 'r',
        createdAt: formatTimestamp(this.clock.now()),
        progress: initialProgress((await records.eventLog.getState()).lastId),
        claimedUntilMs: 0,
        fence: 0,
      });
    });
  }

  async webhook(name: string): Promise<Webhook> {
    const found = await this.store.reads.webhooks.get(toRecordName(name));
    if (found === undefined) throw new Error(`there is no webhook ${name}`);
    return found;
  }

  /** The number of the last event. */
  async last(): Promise<number> {
    return (await this.store.reads.eventLog.getState()).lastId;
  }

  /** So many networks are removed, one after the other. */
  async happen(
    count: number,
    type: 'network.removed' | 'cluster.removed' = 'network.removed',
  ): Promise<void> {
    const happenings = Array.from(
      { length: count },
      (_, index): DomainEvent => ({ type, subject: `n-${index}` }),
    );
    await this.store.transaction(records =>
      records.outbox.add(
        happenings.map(each => toOutboxEntry(each, LOCAL_ACTOR, formatTimestamp(this.clock.now()))),
      ),
    );
  }

  /** Lets time pass until it holds. */
  until(condition: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
    return this.clock.advanceUntil(condition, withinMs);
  }

  #counted(post: SendWebhook): SendWebhook {
    return async (url, message, signal) => {
      const place = this.#receivers.find(({ receiver }) => url.reveal().startsWith(receiver.url));
      if (place === undefined) return post(url, message, signal);
      place.underWay += 1;
      try {
        return await post(url, message, signal);
      } finally {
        place.underWay -= 1;
        place.receiver.isHolding = false;
      }
    };
  }
}
