import { describe, expect, it } from 'vitest';
import { event } from './event-lab.ts';
import { RecentEvents } from './recent-events.ts';

const idsSince = (recent: RecentEvents, position: number) => recent.since(position)?.map(({ id }) => id);

describe('RecentEvents', () => {
  it('knows nothing before the stream has begun', () => {
    expect(new RecentEvents(10).since(0)).toBeUndefined();
  });

  it('tells what came after a position, and that it does not know what came before it began', () => {
    const recent = new RecentEvents(10);
    recent.begin(5);
    expect(idsSince(recent, 5)).toEqual([]);
    recent.add([event(6), event(8)]);
    expect(idsSince(recent, 5)).toEqual([6, 8]);
    expect(idsSince(recent, 6)).toEqual([8]);
    expect(idsSince(recent, 8)).toEqual([]);
    expect(recent.since(4)).toBeUndefined();
  });

  it('forgets the oldest beyond its size, and says so instead of telling a part', () => {
    const recent = new RecentEvents(4);
    recent.begin(0);
    recent.add([1, 2, 3, 4, 5].map(id => event(id)));
    expect(recent.since(2)).toBeUndefined();
    expect(idsSince(recent, 3)).toEqual([4, 5]);
  });

  it('forgets all when it begins anew', () => {
    const recent = new RecentEvents(4);
    recent.begin(0);
    recent.add([event(1)]);
    recent.begin(90);
    expect(recent.since(1)).toBeUndefined();
    expect(idsSince(recent, 90)).toEqual([]);
  });

  it('knows nothing after it was told to forget, until it begins anew', () => {
    const recent = new RecentEvents(4);
    recent.begin(0);
    recent.add([event(1)]);
    recent.forget();
    expect(recent.since(0)).toBeUndefined();
    recent.begin(0);
    expect(idsSince(recent, 0)).toEqual([]);
  });
});
