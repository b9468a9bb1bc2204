import { beforeEach, describe, expect, test } from 'vitest';
import { logged } from '../../test/harness/events/happened.ts';
import { ReadersLab, range } from '../../test/harness/events/readers-lab.ts';
import type { OutboxEntry } from '../domain/events/domain-event.ts';
import type { EventSubscription } from '../domain/events/event-subscription.ts';
import type { EventType } from '../domain/vocabulary.ts';

describe('readers of events', () => {
  let fixture: ReadersLab;
  beforeEach(() => {
    fixture = new ReadersLab();
  });

  test.each<[string, EventType, string, boolean]>([
    ['another password', 'account.password_changed', 'a', true],
    ['another role', 'account.changed', 'a', true],
    ['its removal', 'account.removed', 'a', true],
    ['its creation, of which the log hears late', 'account.created', 'a', false],
    ['what happens to another', 'account.removed', 'b', false],
  ])('end with %s: %s of %s', async (_what, type, subject, isEnded) => {
    const [sink, catching] = [
      fixture.subscribe({ role: 'viewer' }),
      fixture.subscribe({ role: 'viewer', startAfter: 0 }),
    ];
    fixture.happen(1, { type, subject });
    await fixture.pass();
    fixture.happen();
    await fixture.pass();
    expect(sink.told).toEqual(isEnded ? ['ended'] : [12]);
    expect(catching.told).toEqual([...range(1, 10), ...(isEnded ? ['ended'] : [12])]);
  });

  const session = { id: 's-1', expiresAtMs: 40_000, isConfirmed: false };
  const signedOut = (...sessions: string[]): Partial<OutboxEntry> => ({
    ...{ type: 'account.signed_out', subject: 'a', dataJson: JSON.stringify({ sessions }) },
  });

  test.each<[string, Partial<EventSubscription>, Partial<OutboxEntry>, boolean]>([
    ['its sign-out', { session }, signedOut('s-1'), true],
    ['the sign-out of several', { session }, signedOut('s-0', 's-1'), true],
    ['the sign-out of another session', { session }, signedOut('s-2'), false],
    ['a sign-out, when it reads by a password', {}, signedOut('s-1'), false],
    ['a sign-in', { session }, { type: 'account.signed_in', dataJson: '{"session":"s-1"}' }, false],
    ['another password', { session }, { type: 'account.password_changed', subject: 'a' }, true],
  ])('end, when they read by a session, with %s', async (_what, subscription, entry, isEnded) => {
    const sink = fixture.subscribe({ role: 'viewer', ...subscription });
    fixture.happen(1, entry);
    await fixture.pass();
    fixture.happen();
    await fixture.pass();
    expect(sink.told).toEqual(isEnded ? ['ended'] : [12]);
  });

  test('end when the session does by which they read, and not before', async () => {
    const [sink, expired] = [
      fixture.subscribe({ session }),
      fixture.subscribe({ session: { ...session, id: 's-2', expiresAtMs: -5 } }),
    ];
    await fixture.clock.advance(39_999);
    expect([sink.told, expired.told]).toEqual([['beat', 'beat'], ['ended']]);
    await fixture.clock.advance(1);
    expect(sink.told).toEqual(['beat', 'beat', 'ended']);
    expect(fixture.clock.pending).toBe(0);
  });

  test('do not end with what happened to the account before it was let in', async () => {
    fixture.entries[4] = logged(5, { type: 'account.password_changed', subject: 'a' });
    const sink = fixture.subscribe({ startAfter: 0 });
    await fixture.pass();
    expect(sink.told).toEqual(range(1, 10));
  });

  test('end with what happened to the account between letting it in and beginning', async () => {
    fixture.happen(1, { type: 'account.removed', subject: 'a' });
    await fixture.pass();
    const sink = fixture.subscribe({ startAfter: 11, authorizedAtPosition: 10 });
    await fixture.pass();
    expect(sink.told).toEqual(['ended']);
  });

  test('who leave are forgotten, and nothing waits for them', async () => {
    const sinks = [fixture.subscribe(), fixture.subscribe({ startAfter: 0, session })];
    for (const sink of sinks) sink.leave();
    fixture.happen();
    await fixture.clock.advance(60_000);
    expect(sinks.map(sink => sink.told)).toEqual([[], []]);
    expect(fixture.clock.pending).toBe(0);
  });

  test('end all at once when the server stops, and nobody begins any more', async () => {
    const sinks = [fixture.subscribe(), fixture.subscribe({ startAfter: 0 })];
    fixture.readers.stop();
    sinks.push(fixture.subscribe());
    await fixture.pass();
    expect(sinks.map(sink => sink.told)).toEqual([['ended'], ['ended'], ['ended']]);
    expect(fixture.clock.pending).toBe(0);
  });
});
