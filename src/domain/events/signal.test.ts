import { describe, expect, test } from 'vitest';
import type { Address } from '../addresses/address.ts';
import { toRecordName } from '../record-name.ts';
import type { LogFilter } from './event-log.ts';
import type { OutputNotification } from './signal.ts';
import {
  filterNotifications,
  formatOutputSignal,
  isSignal,
  MAX_HOSTS_PER_NOTIFICATION,
  parseOutputSignal,
} from './signal.ts';

const notification = (operation: string, cluster: string, ...hosts: readonly string[]): OutputNotification => ({
  ...{ operation, cluster: toRecordName(cluster), hosts: hosts.map(host => host as Address) },
});
const ONE = notification('op-1', 'web', '127.0.0.1', '::1');
const OTHER = notification('op-2', 'db', '127.0.0.2');

describe('output notification', () => {
  test.each([
    ['few hosts', ONE],
    ['names with all characters', notification('A_-9', 'wanted', '127.0.0.1')],
    [
      'the maximum length',
      notification(
        'x'.repeat(64),
        'c'.repeat(128),
        ...Array.from({ length: MAX_HOSTS_PER_NOTIFICATION }, (_, index) => `${'2001:'.repeat(7)}1${100 + index}`),
      ),
    ],
  ])('is sent between servers as a signal of less than 8000 bytes: %s', (_what, sent) => {
    const signal = formatOutputSignal(sent);
    expect(isSignal(signal)).toBe(true);
    expect(parseOutputSignal(signal)).toEqual(sent);
    expect(Buffer.byteLength(signal)).toBeLessThan(8000);
  });

  test.each([
    'output',
    'output ',
    'output web op-1',
    'output web op-1 ',
    'output web op-1 127.0.0.1 127.0.0.2',
    'output web op-1 127.0.0.1\n',
    'output web op/1 127.0.0.1',
    'output w!b op-1 127.0.0.1',
    'output web op-1 1.2.3',
    'reconcile web',
  ])('is not parsed from the signal %j', signal => {
    expect(parseOutputSignal(signal)).toBeUndefined();
  });

  test.each<[string, LogFilter, readonly OutputNotification[]]>([
    ['a cluster', { cluster: 'db' }, [OTHER]],
    ['an operation', { operation: 'op-1' }, [ONE]],
    ['a host', { host: '::1' }, [notification('op-1', 'web', '::1')]],
    ['a host and its cluster', { host: '127.0.0.2', cluster: 'db' }, [OTHER]],
    ['a host and another cluster', { host: '127.0.0.2', cluster: 'web' }, []],
    ['a host without output', { host: '127.0.0.9' }, []],
  ])('matches a filter by %s', (_what, filter, expected) => {
    expect(filterNotifications([ONE, OTHER], filter)).toEqual(expected);
  });

  test('is in the same array object for all subscribers without a filter', () => {
    const all = [ONE, OTHER];
    expect(filterNotifications(all, { cluster: undefined, host: undefined, operation: undefined })).toBe(all);
  });
});
