// Webhook dispatchers in virtual time, with a real store, real HTTP to receivers on loopback, and servers
// that tests can freeze and kill.

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
import { openVault } from '../../../src/secrets/keyring.ts';
import type { Store } from '../../../src/store/store.ts';
import { trackCalls } from '../simulation/intercept-calls.ts';
import { SimulatedServerControl } from '../simulation/server-control.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import type { StoreKind, TestDatabase } from '../stores/stores.ts';
import { createTestDatabase, openTestDatabase } from '../stores/stores.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

const HOUR_MS = 3_600_000;

export const SECRET = 'the secret of the webhook';

interface WebhookServer {
  readonly control: SimulatedServerControl;
  readonly webhooks: WebhookDispatcher;
  /** Stops moving outbox entries into the log, so that hours pass faster. */
  stopLogging(): Promise<void>;
  readonly log: readonly string[];
}

export class WebhookFixture {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly #database: TestDatabase;
  readonly #vault: Vault;
  readonly #calls: ReturnType<typeof trackCalls>;
  readonly #receivers: { readonly receiver: WebhookReceiver; inFlight: number }[] = [];
  readonly #closers: (() => Promise<unknown>)[] = [];

  private constructor(
    database: TestDatabase,
    store: Store,
    vault: Vault,
    clock: VirtualClock,
    calls: ReturnType<typeof trackCalls>,
  ) {
    this.#database = database;
    this.store = store;
    this.#vault = vault;
    this.clock = clock;
    this.#calls = calls;
  }

  static async open(kind: StoreKind): Promise<WebhookFixture> {
    const database = await createTestDatabase(kind, { isMigrated: true });
    const calls = trackCalls();
    const created: { fixture?: WebhookFixture } = {};
    const clock = new VirtualClock({
      isIdle: () => calls.inFlight === 0 && created.fixture?.areReceiversQuiet() !== false,
    });
    const store = calls.trackStore(await openTestDatabase(database, { clock }));
    const key = randomBytes(32);
    await ensureDataKey({ store }, () => [key]);
    const vault = await openVault(() => [key], store.reads.dataKeys);
    created.fixture = new WebhookFixture(database, store, vault, clock, calls);
    return created.fixture;
  }

  async close(): Promise<void> {
    await this.clear();
    await this.store.close();
    await this.#database.remove();
  }

  /** Removes servers, receivers and webhooks, but keeps the events. */
  async clear(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
    this.#receivers.length = 0;
    await this.store.transaction(async records => {
      const { items } = await records.webhooks.listNames({});
      for (const name of items) await records.webhooks.remove(name);
    });
  }

  /** Requests in flight are only those that a receiver leaves unanswered. */
  areReceiversQuiet(): boolean {
    return this.#receivers.every(({ receiver, inFlight }) => inFlight === 0 || receiver.hasPendingRequest);
  }

  async startReceiver(): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start();
    this.#receivers.push({ receiver, inFlight: 0 });
    this.#closers.push(() => receiver.stop());
    return receiver;
  }

  async startServer({ hasOwnStore = false }: { readonly hasOwnStore?: boolean } = {}): Promise<WebhookServer> {
    const control = new SimulatedServerControl();
    const opened = hasOwnStore
      ? this.#calls.trackStore(await openTestDatabase(this.#database, { clock: this.clock }))
      : this.store;
    const [store, clock] = [control.store(opened), control.clock(this.clock)];
    // Uses the virtual clock directly, because requests that the server has sent complete even if the server
    // is frozen or dead.
    const sender = new WebhookClient({
      clock: this.clock,
      allowsPrivate: true,
      allowsLinkLocal: false,
      version: 'test',
    });
    const lines: string[] = [];
    const record = (details: unknown, message?: string) => void lines.push(`${JSON.stringify(details)} ${message}`);
    const log = { info: record, warn: record, error: record };
    const sequencer = Sequencer.start({ store, clock, log, key: createSecretKey(Buffer.alloc(32)) });
    const tail = await LogTail.start({ store, clock, log });
    const { post: send } = control.calls({ post: this.#countInFlight(sender.send) });
    const webhooks = WebhookDispatcher.start({
      ...{ store, clock, log, tail, send, vault: this.#vault },
      jitter: () => 0,
      disableAfterMs: HOUR_MS,
    });
    this.#closers.push(async () => {
      control.inject('kill_server');
      await sender.close();
      if (hasOwnStore) await opened.close();
    });
    return {
      control,
      webhooks,
      log: lines,
      stopLogging: async () => {
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

  async last(): Promise<number> {
    return (await this.store.reads.eventLog.getState()).lastId;
  }

  /** Emits removal events. */
  async publishEvents(count: number, type: 'network.removed' | 'cluster.removed' = 'network.removed'): Promise<void> {
    const events = Array.from({ length: count }, (_, index): DomainEvent => ({ type, subject: `n-${index}` }));
    await this.store.transaction(records =>
      records.outbox.add(events.map(event => toOutboxEntry(event, LOCAL_ACTOR, formatTimestamp(this.clock.now())))),
    );
  }

  until(condition: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
    return this.clock.advanceUntil(condition, withinMs);
  }

  #countInFlight(post: SendWebhook): SendWebhook {
    return async (url, message, signal) => {
      const destination = this.#receivers.find(({ receiver }) => url.reveal().startsWith(receiver.url));
      if (destination === undefined) return post(url, message, signal);
      destination.inFlight += 1;
      try {
        return await post(url, message, signal);
      } finally {
        destination.inFlight -= 1;
        destination.receiver.hasPendingRequest = false;
      }
    };
  }
}
