import { beforeEach, describe, expect, test } from 'vitest';
import { EventSubscribersFixture, range } from '../../test/harness/events/event-subscriber-fixtures.ts';
import { logEntry } from '../../test/harness/events/outbox-entries.ts';
import type { OutboxEntry } from '../domain/events/domain-event.ts';
import type { EventSubscription } from '../domain/events/event-subscription.ts';
import type { EventType } from '../domain/vocabulary.ts';

describe('an event stream', () => {
  let fixture: EventSubscribersFixture;
  beforeEach(() => {
    fixture = new EventSubscribersFixture();
  });

  test.each<[string, EventType, string, boolean]>([
    ['a changed password', 'account.password_changed', 'a', true],
    ['a changed role', 'account.changed', 'a', true],
    ['a removed account', 'account.removed', 'a', true],
    ['a late creation event', 'account.created', 'a', false],
    ['a removal of another account', 'account.removed', 'b', false],
  ])(
    'ends only after changes that invalidate logins of the account: %s (%s of account %s)',
    async (_case, type, subject, isEnded) => {
      const [sink, catchingUp] = [
        fixture.subscribe({ role: 'viewer' }),
        fixture.subscribe({ role: 'viewer', startAfter: 0 }),
      ];
      fixture.publish(1, { type, subject });
      await fixture.advance();
      fixture.publish();
      await fixture.advance();
      expect(sink.received).toEqual(isEnded ? ['ended'] : [12]);
      expect(catchingUp.received).toEqual([...range(1, 10), ...(isEnded ? ['ended'] : [12])]);
    },
  );

  const session = { id: 's-1', expiresAtMs: 40_000, isConfirmed: false };
  const signedOut = (...sessions: string[]): Partial<OutboxEntry> => ({
    ...{ type: 'account.signed_out', subject: 'a', dataJson: JSON.stringify({ sessions }) },
  });

  test.each<[string, Partial<EventSubscription>, Partial<OutboxEntry>, boolean]>([
    ['a sign-out of the session', { session }, signedOut('s-1'), true],
    ['a sign-out of several sessions', { session }, signedOut('s-0', 's-1'), true],
    ['a sign-out of another session', { session }, signedOut('s-2'), false],
    ['a sign-out without a session', {}, signedOut('s-1'), false],
    ['a sign-in', { session }, { type: 'account.signed_in', dataJson: '{"session":"s-1"}' }, false],
    ['a changed password', { session }, { type: 'account.password_changed', subject: 'a' }, true],
  ])('ends only after events that invalidate its session: %s', async (_case, subscription, entry, isEnded) => {
    const sink = fixture.subscribe({ role: 'viewer', ...subscription });
    fixture.publish(1, entry);
    await fixture.advance();
    fixture.publish();
    await fixture.advance();
    expect(sink.received).toEqual(isEnded ? ['ended'] : [12]);
  });

  test('ends at the expiry of its session and not before', async () => {
    const [sink, expired] = [
      fixture.subscribe({ session }),
      fixture.subscribe({ session: { ...session, id: 's-2', expiresAtMs: -5 } }),
    ];
    await fixture.clock.advance(39_999);
    expect([sink.received, expired.received]).toEqual([['beat', 'beat'], ['ended']]);
    await fixture.clock.advance(1);
    expect(sink.received).toEqual(['beat', 'beat', 'ended']);
    expect(fixture.clock.pending).toBe(0);
  });

  test('does not end because of an account change before its authorization', async () => {
    fixture.entries[4] = logEntry(5, { type: 'account.password_changed', subject: 'a' });
    const sink = fixture.subscribe({ startAfter: 0 });
    await fixture.advance();
    expect(sink.received).toEqual(range(1, 10));
  });

  test('ends after an account change between authorization and subscription', async () => {
    fixture.publish(1, { type: 'account.removed', subject: 'a' });
    await fixture.advance();
    const sink = fixture.subscribe({ startAfter: 11, authorizedAtPosition: 10 });
    await fixture.advance();
    expect(sink.received).toEqual(['ended']);
  });

  test('cancels all timers when the client closes the connection', async () => {
    const sinks = [fixture.subscribe(), fixture.subscribe({ startAfter: 0, session })];
    for (const sink of sinks) sink.disconnect();
    fixture.publish();
    await fixture.clock.advance(60_000);
    expect(sinks.map(sink => sink.received)).toEqual([[], []]);
    expect(fixture.clock.pending).toBe(0);
  });

  test('ends when the server stops, and new streams end immediately', async () => {
    const sinks = [fixture.subscribe(), fixture.subscribe({ startAfter: 0 })];
    fixture.subscribers.stop();
    sinks.push(fixture.subscribe());
    await fixture.advance();
    expect(sinks.map(sink => sink.received)).toEqual([['ended'], ['ended'], ['ended']]);
    expect(fixture.clock.pending).toBe(0);
  });
});
