import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SECRET, WebhookFixture } from '../../../test/harness/events/webhook-fixtures.ts';
import type { Reply, WebhookReceiver } from '../../../test/harness/events/webhook-receiver.ts';
import { isSignatureValid } from '../../../test/harness/events/webhook-receiver.ts';
import { describePostgres } from '../../../test/harness/stores/stores.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { resetProgress } from '../../domain/webhooks/webhook.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let fixture: WebhookFixture;
let receiver: WebhookReceiver;
/** The id of the last event before the test. */
let base: number;

async function setUp() {
  receiver = await fixture.startReceiver();
  base = await fixture.last();
  await fixture.makeWebhook('chat', receiver.url);
}

/** The delivered events, numbered from 1. */
const arrived = () => receiver.ids.map(id => id - base);
const progress = async () => {
  const { position, ...rest } = (await fixture.webhook('chat')).progress;
  return { ...rest, position: position - base };
};

describe('WebhookDispatcher', () => {
  beforeAll(async () => {
    fixture = await WebhookFixture.open('sqlite');
  });
  beforeEach(setUp);
  afterEach(() => fixture.clear());
  afterAll(() => fixture.close());

  test('delivers every event once, in order and signed, in the format of the API', async () => {
    await fixture.startServer();
    await fixture.makeWebhook('other', `${receiver.url}/in?token=1`, ['host.*']);
    await fixture.publishEvents(105);
    await fixture.until(async () => (await progress()).position === 105);
    expect(arrived()).toEqual(Array.from({ length: 105 }, (_, index) => 1 + index));
    const [first] = receiver.received;
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'hostler-event': String(base + 1),
      'hostler-webhook': 'chat',
      'user-agent': 'hostler/test',
    });
    expect(Object.keys(first?.event ?? {})).toEqual(['id', 'type', 'at', 'cluster', 'host', 'operation', 'data']);
    const nowS = fixture.clock.now() / 1000;
    expect(receiver.received.every(each => isSignatureValid(each, SECRET, nowS))).toBe(true);
    expect(receiver.received.some(each => isSignatureValid(each, 'another', nowS))).toBe(false);
    expect(await fixture.webhook('chat')).toMatchObject({
      claimedUntilMs: 0,
      progress: { deliveredId: base + 105 },
    });
  });

  test('skips unwanted events and advances the position', async () => {
    const few = async () => (await fixture.webhook('few')).progress;
    await fixture.store.transaction(records => records.webhooks.remove(toRecordName('chat')));
    await fixture.makeWebhook('few', `${receiver.url}/few?token=1`, ['cluster.*']);
    await fixture.startServer();
    await fixture.publishEvents(600);
    await fixture.until(async () => (await few()).position >= base + 500);
    await fixture.publishEvents(1, 'cluster.removed');
    await fixture.until(() => receiver.received.length === 1);
    expect(receiver.received).toMatchObject([{ path: '/few?token=1', event: { type: 'cluster.removed' } }]);
    await fixture.publishEvents(3);
    await fixture.until(async () => (await few()).position === base + 604, 2 * MINUTE_MS);
    expect([arrived(), (await few()).deliveredId]).toEqual([[601], base + 601]);
  });

  test.each<[string, Reply, string]>([
    ['returns status 500', 500, 'the receiver responded with status 500'],
    ['redirects', { status: 302, headers: { location: '/elsewhere' } }, 'the receiver responded with status 302'],
    ['never responds', 'hang_response', 'the receiver did not respond in time'],
    ['closes the connection', 'cut_response', 'the receiver does not respond: the connection was closed'],
  ])('repeats an event, before later ones, to a receiver that %s', async (_case, reply, problem) => {
    const server = await fixture.startServer();
    receiver.replies.push(200, reply, reply);
    await fixture.publishEvents(3);
    await fixture.until(async () => (await progress()).attempts === 2);
    expect(await progress()).toMatchObject({ problem, position: 1, disabledAt: null });
    await fixture.until(async () => (await progress()).position === 3);
    expect(arrived()).toEqual([1, 2, 2, 2, 3]);
    expect(receiver.received.map(({ path }) => path)).toEqual(arrived().map(() => '/'));
    expect(await progress()).toMatchObject({ problem, attempts: 0, failingSinceMs: null });
    expect(server.log).toHaveLength(2);
    expect(server.log.join()).not.toContain(receiver.url);
  });

  test('accepts a response by its status even if its body never ends', async () => {
    await fixture.startServer();
    receiver.defaultReply = 'endless_response';
    await fixture.publishEvents(2);
    await fixture.until(async () => (await progress()).position === 2);
    expect(arrived()).toEqual([1, 2]);
  });

  test('retries after 1, 2, 4 … seconds, disables the webhook after the maximum time, and continues after a resume', async () => {
    const server = await fixture.startServer();
    receiver.defaultReply = 503;
    await fixture.publishEvents(2);
    await fixture.until(() => receiver.received.length === 1);
    await server.stopLogging();
    const seconds: number[] = [];
    const started = fixture.clock.now();
    await fixture.until(async () => {
      while (seconds.length < receiver.received.length)
        seconds.push(Math.round((fixture.clock.now() - started) / 1000));
      return (await progress()).disabledAt !== null;
    }, 2 * HOUR_MS);
    expect(seconds.map((at, index) => at - (seconds[index - 1] ?? 0))).toEqual([
      0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 777,
    ]);
    await fixture.clock.advance(20 * MINUTE_MS);
    expect(arrived()).toEqual(seconds.map(() => 1));
    await fixture.startServer();
    await fixture.until(async () => (await fixture.last()) === base + 3);
    const disabledEvents = await fixture.store.reads.eventLog.list({ type: 'webhook.disabled' }, { limit: 5 });
    expect(disabledEvents.items).toMatchObject([
      { subject: 'chat', dataJson: '{"problem":"the receiver responded with status 503"}' },
    ]);
    expect(server.log).toHaveLength(2);

    receiver.defaultReply = 200;
    await fixture.store.transaction(async records => {
      const disabled = await records.webhooks.lock(toRecordName('chat'));
      if (disabled) await records.webhooks.update({ ...disabled, progress: resetProgress(disabled.progress) });
    });
    await fixture.until(async () => (await progress()).position === 3);
    expect(arrived().slice(seconds.length)).toEqual([1, 2, 3]);
  });

  test('waits for the time in the Retry-After header of the receiver', async () => {
    await fixture.startServer();
    receiver.replies.push({ status: 429, headers: { 'retry-after': '60' } });
    await fixture.publishEvents(1);
    await fixture.until(() => receiver.received.length === 1);
    const first = fixture.clock.now();
    await fixture.until(() => receiver.received.length === 2, 2 * MINUTE_MS);
    expect(Math.round((fixture.clock.now() - first) / 1000)).toBe(60);
  });

  test('delivers to other webhooks while a receiver does not respond', async () => {
    const other = await fixture.startReceiver();
    await fixture.makeWebhook('other', other.url);
    await fixture.startServer();
    receiver.defaultReply = 'hang_response';
    await fixture.publishEvents(20);
    const started = fixture.clock.now();
    await fixture.until(() => other.received.length === 20);
    expect(fixture.clock.now() - started).toBeLessThan(10_000);
    expect(arrived()).toEqual([1]);
  });

  test('stops without waiting for a receiver, and the next server repeats the event', async () => {
    const server = await fixture.startServer();
    receiver.replies.push('hang_response');
    await fixture.publishEvents(1);
    await fixture.until(() => receiver.hasPendingRequest);
    const started = fixture.clock.now();
    let isStopped = false;
    void server.webhooks.stop().then(() => {
      isStopped = true;
    });
    await fixture.until(() => isStopped);
    expect(fixture.clock.now() - started).toBeLessThan(4000);
    expect(await fixture.webhook('chat')).toMatchObject({
      claimedUntilMs: 0,
      progress: { position: base, attempts: 0 },
    });
    await fixture.startServer();
    await fixture.until(() => receiver.received.length === 2);
    expect(arrived()).toEqual([1, 1]);
  });

  test('continues with the oldest available event and reports the gap when events were pruned', async () => {
    const server = await fixture.startServer();
    receiver.defaultReply = 500;
    await fixture.publishEvents(5);
    await fixture.until(async () => (await progress()).attempts === 1);
    await fixture.store.transaction(async records => {
      const state = await records.eventLog.acquire();
      if (state) await records.eventLog.prune({ ...state, firstId: base + 4, firstReadableId: base + 4 });
    });
    receiver.defaultReply = 200;
    await fixture.until(async () => (await progress()).position === 5);
    expect(arrived()).toEqual([1, 4, 5]);
    const problem = `events after ${base} were pruned; continued after ${base + 3}`;
    expect(await progress()).toMatchObject({ problem });
    expect(server.log.join()).toContain('events for a webhook were pruned');
  });
});

describePostgres('several servers on one PostgreSQL', () => {
  beforeAll(async () => {
    fixture = await WebhookFixture.open('postgres');
  });
  beforeEach(setUp);
  afterEach(() => fixture.clear());
  afterAll(() => fixture.close());

  test('deliver each event once and in order', async () => {
    await fixture.startServer({ hasOwnStore: true });
    await fixture.startServer({ hasOwnStore: true });
    for (let round = 0; round < 10; round += 1) {
      await fixture.publishEvents(4);
      await fixture.clock.advance(40);
    }
    await fixture.until(async () => (await progress()).position === 40);
    expect(arrived()).toEqual(Array.from({ length: 40 }, (_, index) => 1 + index));
  });

  test('take over from a killed server after its claim expires', async () => {
    const first = await fixture.startServer({ hasOwnStore: true });
    receiver.replies.push(200, 'hang_response');
    await fixture.publishEvents(3);
    await fixture.until(() => receiver.hasPendingRequest);
    await fixture.startServer({ hasOwnStore: true });
    first.control.inject('kill_server');
    const died = fixture.clock.now();
    await fixture.until(() => receiver.received.length === 4);
    expect(arrived()).toEqual([1, 2, 2, 3]);
    expect(fixture.clock.now() - died).toBeLessThanOrEqual(15_000 + 3000);
  });

  test('write nothing when they resume after another server has taken over', async () => {
    const first = await fixture.startServer({ hasOwnStore: true });
    receiver.replies.push('hang_response');
    await fixture.publishEvents(2);
    await fixture.until(() => receiver.hasPendingRequest);
    first.control.inject('freeze_server');
    await fixture.startServer({ hasOwnStore: true });
    await fixture.until(async () => (await progress()).position === 2);
    const before = await fixture.webhook('chat');
    first.control.revert('freeze_server');
    await fixture.clock.advance(20_000);
    expect(await fixture.webhook('chat')).toEqual(before);
    expect(arrived()).toEqual([1, 1, 2]);
  });
});
