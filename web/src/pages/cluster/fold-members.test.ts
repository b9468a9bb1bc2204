import { describe, expect, test } from 'vitest';
import type { LoggedEvent } from '../../live/recent-events.ts';
import { foldMembers, wantsReading } from './fold-members.ts';
import type { Member } from './read-hosts.ts';

const member = (address: string, more: Partial<Member> = {}): Member => ({
  ...{ address, status: 'active', os: 'debian', cpus: 1, memory: 1, space: 1, last_check: '' },
  ...{ hostname: '', cluster: 'web', labels: {}, maintenance: false, reason: '' },
  ...more,
});

const event = (type: LoggedEvent['type'], more: Partial<LoggedEvent> = {}): LoggedEvent => ({
  ...{ id: 1, type, at: '', cluster: 'web', host: null, operation: null, data: {} },
  ...more,
});

const status = (host: string, data: object) => event('host.status', { host, data: { ...data } });
const members = [member('::1'), member('::2')];

describe('members of a cluster, event by event', () => {
  test.each<[string, readonly LoggedEvent[], readonly Member[]]>([
    [
      'a status and its reason',
      [status('::1', { from: 'active', to: 'failed', reason: 'auth: no' })],
      [member('::1', { status: 'failed', reason: 'auth: no' }), member('::2')],
    ],
    [
      'a reason that is over',
      [status('::1', { to: 'failed', reason: 'auth: no' }), status('::1', { to: 'active' })],
      members,
    ],
    [
      'maintenance and labels',
      [
        event('host.maintenance', { host: '::2', data: { on: true } }),
        event('host.labels', { host: '::2', data: { labels: { a: 'b' } } }),
      ],
      [member('::1'), member('::2', { maintenance: true, labels: { a: 'b' } })],
    ],
    ['one that is removed', [event('host.removed', { host: '::1' })], [member('::2')]],
    ['one that leaves', [event('cluster.members', { data: { joined: [], left: ['::2'] } })], [member('::1')]],
  ])('%s', (_what, events, expected) => {
    expect(foldMembers('web')(members, events)).toEqual(expected);
  });

  test.each<[string, readonly LoggedEvent[]]>([
    ['nothing', []],
    ['a host elsewhere', [status('::9', { to: 'failed' })]],
    ['another cluster', [event('cluster.members', { cluster: 'db', data: { left: ['::1'] } })]],
    ['a word that is no status', [status('::1', { to: 'merry' })]],
  ])('%s leaves the very same list', (_what, events) => {
    expect(foldMembers('web')(members, events)).toBe(members);
  });

  test.each<[LoggedEvent, boolean]>([
    [event('cluster.members', { data: { joined: ['::3'], left: [] } }), true],
    [event('cluster.members', { data: { joined: [], left: ['::1'] } }), false],
    [event('cluster.members', { cluster: 'db', data: { joined: ['::3'] } }), false],
    [event('host.created', { host: '::3' }), true],
    [status('::1', { from: 'bootstrapping', to: 'active' }), true],
    [status('::1', { from: 'active', to: 'unreachable' }), false],
  ])('%j wants reading: %s', (each, expected) => {
    expect(wantsReading(each, 'web')).toBe(expected);
  });
});
