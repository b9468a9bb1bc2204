import { describe, expect, test } from 'vitest';
import type { HostProgress } from './host-progress.ts';
import { isNotStarted, OrderedHosts } from './host-progress.ts';

const host = (address: string, state: HostProgress['state'] = 'pending'): HostProgress => ({
  ...{
    address,
    hostname: '',
    state,
    attempt: 1,
    position: 0,
    phases: [],
    sinceMs: undefined,
    inFlightSinceMs: undefined,
  },
  ...{ problem: '', isUnchanged: false, lastEventId: 0 },
});

test.each<[HostProgress['state'], number | undefined, boolean]>([
  ['pending', undefined, true],
  ['staging', undefined, true],
  ['queued', undefined, true],
  ['unreachable', undefined, true],
  ['unreachable', 1, false],
  ['cordoning', 1, false],
  ['rebooting', 1, false],
  ['done', undefined, false],
  ['failed', undefined, false],
  ['skipped', undefined, false],
])(
  'isNotStarted() of a host in state %s, in flight since %s, is %s after the operation ended',
  (state, since, expected) => {
    const progress = { ...host('a', state), inFlightSinceMs: since };
    expect([isNotStarted(progress, true), isNotStarted(progress, false)]).toEqual([expected, false]);
  },
);

describe('OrderedHosts', () => {
  const list = [host('b'), host('a'), host('c')];
  const hosts = OrderedHosts.of(list);

  test('keeps the order and finds each host by its address', () => {
    expect(hosts.list).toEqual(list);
    expect([...hosts.values()]).toEqual(list);
    expect(hosts.size).toBe(3);
    expect(['b', 'a', 'c', 'd'].map(address => hosts.indexOf(address))).toEqual([0, 1, 2, undefined]);
    expect(hosts.get('a')).toBe(list[1]);
    expect(hosts.get('d')).toBeUndefined();
  });

  test('with() replaces changed hosts in place and keeps the other objects', () => {
    const after = hosts.with(
      new Map([
        ['c', host('c', 'done')],
        ['b', host('b', 'failed')],
      ]),
    );
    expect(after.list.map(({ address, state }) => [address, state])).toEqual([
      ['b', 'failed'],
      ['a', 'pending'],
      ['c', 'done'],
    ]);
    expect(after.get('a')).toBe(hosts.get('a'));
    expect(after.get('c')?.state).toBe('done');
  });

  test('with() does not change the original', () => {
    hosts.with(new Map([['c', host('c', 'done')]]));
    expect(hosts.list).toEqual(list);
  });

  test('with() ignores unknown hosts', () => {
    expect(hosts.with(new Map([['d', host('d')]])).list).toEqual(list);
  });
});
