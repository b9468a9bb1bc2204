import { beforeEach, describe, expect, test } from 'vitest';
import { PretendOutlet } from '../../test/harness/events/pretend-outlet.ts';
import { MAX_UNREAD_BYTES, ReadersLab, range } from '../../test/harness/events/readers-lab.ts';
import type { Address } from '../domain/addresses/address.ts';
import type { OutputNotification } from '../domain/events/signal.ts';
import { toRecordName } from '../domain/record-name.ts';

let lab: ReadersLab;
beforeEach(() => {
  lab = new ReadersLab();
});

describe('readers who have asked for hints of output', () => {
  const hint = (operation: string, ...hosts: string[]) => ({
    ...{ operation, cluster: toRecordName('web'), hosts: hosts as Address[] },
  });
  const tell = (...hints: OutputNotification[]) => {
    for (const give of lab.hintFollowers) give(hints);
  };
  const HINT = hint('op', '127.0.0.1', '127.0.0.2');

  test('are given them beside events, and nobody else is', async () => {
    const [asked, other] = [lab.follow({ includesOutput: true }), lab.follow()];
    tell(HINT);
    lab.happen();
    await lab.pass();
    tell(HINT);
    expect(asked.told).toEqual(['output op 127.0.0.1 127.0.0.2', 11, 'output op 127.0.0.1 127.0.0.2']);
    expect(other.told).toEqual([11]);
  });

  test('are given only those that they want', () => {
    const filters = [{ host: '127.0.0.2' }, { cluster: 'db' }, { operation: 'op' }, { operation: 'else' }];
    const outlets = filters.map(filter => lab.follow({ includesOutput: true, filter }));
    tell(HINT);
    expect(outlets.map(({ told }) => told)).toEqual([
      ['output op 127.0.0.2'],
      [],
      ['output op 127.0.0.1 127.0.0.2'],
      [],
    ]);
  });

  test('are given none while they have much unread, and are not cut off for them', async () => {
    const outlet = lab.follow({ includesOutput: true });
    outlet.bufferedBytes = MAX_UNREAD_BYTES / 2;
    tell(HINT);
    outlet.bufferedBytes = 2 * MAX_UNREAD_BYTES;
    tell(HINT);
    expect(outlet.told).toEqual([]);
    outlet.bufferedBytes = 0;
    tell(HINT);
    expect(outlet.told).toHaveLength(1);
  });

  test('are given none before they have caught up', async () => {
    const outlet = lab.follow({ includesOutput: true, startAfter: 0 });
    tell(HINT);
    expect(outlet.told).toEqual([]);
    await lab.pass();
    tell(HINT);
    expect(outlet.told).toEqual([...range(1, 10), 'output op 127.0.0.1 127.0.0.2']);
  });

  test('are forgotten when they leave, also before it has begun', () => {
    lab.follow({ includesOutput: true }).leave();
    const gone = new PretendOutlet();
    gone.onClosed = callback => callback();
    lab.follow({ includesOutput: true }, gone);
    expect(lab.hintFollowers.size).toBe(0);
  });
});
