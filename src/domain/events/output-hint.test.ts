import { describe, expect, test } from 'vitest';
import type { Address } from '../addresses/address.ts';
import { recordNameOf } from '../record-name.ts';
import type { LogFilter } from './event-log.ts';
import type { OutputHint } from './output-hint.ts';
import { hintOfSignal, hintSignal, hintsFor, MOST_HOSTS_IN_HINT } from './output-hint.ts';
import { isSignal } from './signal.ts';

const hint = (operation: string, cluster: string, ...hosts: readonly string[]): OutputHint => ({
  ...{ operation, cluster: recordNameOf(cluster), hosts: hosts.map(host => host as Address) },
});
const ONE = hint('op-1', 'web', '127.0.0.1', '::1');
const OTHER = hint('op-2', 'db', '127.0.0.2');

describe('a hint of output', () => {
  test.each([
    ['few hosts', ONE],
    ['names of every kind', hint('A_-9', 'wanted', '127.0.0.1')],
    [
      'as much as there may be',
      hint(
        'x'.repeat(64),
        'c'.repeat(128),
        ...Array.from({ length: MOST_HOSTS_IN_HINT }, (_, index) => `${'2001:'.repeat(7)}1${100 + index}`),
      ),
    ],
  ])('comes as a signal from server to server, in less than 8000 bytes: %s', (_what, sent) => {
    const signal = hintSignal(sent);
    expect(isSignal(signal)).toBe(true);
    expect(hintOfSignal(signal)).toEqual(sent);
    expect(Buffer.byteLength(signal)).toBeLessThan(8000);
  });

  test.each([
    'output',
    'output ',
    'output_subscribed',
    'output web op-1',
    'output web op-1 ',
    'output web op-1 127.0.0.1 127.0.0.2',
    'output web op-1 127.0.0.1\n',
    'output web op/1 127.0.0.1',
    'output w!b op-1 127.0.0.1',
    'output web op-1 1.2.3',
    'reconcile web',
  ])('is none: %j', signal => {
    expect(hintOfSignal(signal)).toBeUndefined();
  });

  test.each<[string, LogFilter, readonly OutputHint[]]>([
    ['a cluster', { cluster: 'db' }, [OTHER]],
    ['an operation', { operation: 'op-1' }, [ONE]],
    ['a host', { host: '::1' }, [hint('op-1', 'web', '::1')]],
    ['a host of a cluster', { host: '127.0.0.2', cluster: 'db' }, [OTHER]],
    ['a host of another cluster', { host: '127.0.0.2', cluster: 'web' }, []],
    ['a host that has said nothing', { host: '127.0.0.9' }, []],
  ])('is given to who wants to know of %s', (_what, filter, expected) => {
    expect(hintsFor([ONE, OTHER], filter)).toEqual(expected);
  });

  test('is in the same list for all who want everything', () => {
    const all = [ONE, OTHER];
    expect(hintsFor(all, { cluster: undefined, host: undefined, operation: undefined })).toBe(all);
  });
});
