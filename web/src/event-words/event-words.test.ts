import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '#vocabulary';
import type { EventLink } from './event-sentence.ts';
import { partsOf } from './event-sentence.ts';
import type { Happened } from './event-words.ts';
import { eventWords, spelt } from './event-words.ts';

const happened = (type: string, more: Partial<Happened> = {}): Happened => ({
  ...{ type, cluster: null, host: null, operation: null, data: {} },
  ...more,
});

const host = '127.0.0.1';
const web = { cluster: 'web' };
const ofOperation = { ...web, operation: 'Op1' };

const pathOf = ({ to, params = {} }: EventLink) => to.replace(/\$(\w+)/g, (_, name) => params[name] ?? '?');

describe('an event in words', () => {
  test.each<[string, Partial<Happened>, string, readonly string[]]>([
    [
      'account.created',
      { data: { name: 'ann', role: 'operator' } },
      'Account ann was made, operator',
      ['/accounts'],
    ],
    [
      'account.login_failed',
      { data: { code: 'bad_password', times: 3, is_known: false } },
      'A login as somebody was refused: bad password, 3 times',
      [],
    ],
    ['account.signed_in', { subject: 'ann' }, 'ann has signed in', ['/accounts']],
    [
      'cluster.created',
      { ...web, data: { network: 'default', container_manager: 'k8s' } },
      'Cluster web was made: network default, container manager k8s',
      ['/clusters/web'],
    ],
    [
      'cluster.members',
      { ...web, data: { joined: [host, '::1', '::2'], left: [] } },
      '127.0.0.1 and 2 other hosts joined web',
      ['/hosts/127.0.0.1', '/clusters/web'],
    ],
    [
      'cluster.members',
      { ...web, data: { joined: [host], left: ['::1', '::2'] } },
      '127.0.0.1 joined web, ::1 and 1 other host left it',
      ['/hosts/127.0.0.1', '/clusters/web', '/hosts/::1'],
    ],
    [
      'cluster.status',
      { ...web, data: { from: 'ok', to: 'degraded' } },
      'Cluster web is degraded, was ok',
      ['/clusters/web'],
    ],
    ['cluster.removed', web, 'Cluster web was removed', []],
    [
      'host.created',
      { host, data: { token: 't1' } },
      '127.0.0.1 was enrolled, by the token t1',
      [`/hosts/${host}`],
    ],
    [
      'host.status',
      {
        host,
        data: { from: 'active', to: 'unreachable', reason: 'unreachable: no route', in_maintenance: true },
      },
      '127.0.0.1 is unreachable, was active, in maintenance: no route',
      [`/hosts/${host}`],
    ],
    [
      'host.status',
      { host, data: { from: 'investigating', to: 'failed', reason: 'auth_rejected: no such key' } },
      '127.0.0.1 is failed, was investigating: auth_rejected: no such key',
      [`/hosts/${host}`],
    ],
    [
      'host.labels_changed',
      { host, data: { labels: { ring: 'first', a: '' } } },
      '127.0.0.1 has the labels a, ring=first',
      [`/hosts/${host}`],
    ],
    [
      'host.labels_changed',
      { host, data: { labels: {} } },
      '127.0.0.1 has no labels now',
      [`/hosts/${host}`],
    ],
    [
      'host.maintenance_changed',
      { host, data: { on: true, reason: 'disk' } },
      '127.0.0.1 is in maintenance: disk',
      [`/hosts/${host}`],
    ],
    [
      'host.maintenance_changed',
      { host, data: { on: false } },
      'Maintenance of 127.0.0.1 has ended',
      [`/hosts/${host}`],
    ],
    [
      'operation.started',
      { ...ofOperation, data: { kind: 'deploy', version: '44.1', hosts: 1 } },
      'Deploy of web to 44.1 has begun, on 1 host',
      ['/operations/Op1', '/clusters/web'],
    ],
    [
      'operation.started',
      { ...ofOperation, data: { kind: 'restart', hosts: 12 } },
      'Restart of web has begun, on 12 hosts',
      ['/operations/Op1', '/clusters/web'],
    ],
    [
      'operation.started',
      { ...ofOperation, data: {} },
      'Operation of web has begun',
      ['/operations/Op1', '/clusters/web'],
    ],
    [
      'operation.state',
      {
        ...ofOperation,
        data: { state: 'paused', pause: 'failures', problem: 'too_many_failures: 1 of at most 0' },
      },
      'Operation on web is paused, by failures: too_many_failures: 1 of at most 0',
      ['/operations/Op1', '/clusters/web'],
    ],
    [
      'operation.host',
      { ...ofOperation, host, data: { state: 'rebooting', attempt: 2 } },
      '127.0.0.1 is rebooting in the operation on web, attempt 2',
      [`/hosts/${host}`, '/operations/Op1', '/clusters/web'],
    ],
    [
      'operation.host',
      { ...ofOperation, host, data: { state: 'unreachable', attempt: 1, problem: 'unreachable: no route' } },
      '127.0.0.1 is unreachable in the operation on web: no route',
      [`/hosts/${host}`, '/operations/Op1', '/clusters/web'],
    ],
    [
      'operation.ended',
      { operation: 'Op1', data: { state: 'finished' } },
      'Operation has ended: finished',
      ['/operations/Op1'],
    ],
    ['network.removed', { subject: 'old' }, 'Network old was removed', []],
    [
      'webhook.disabled',
      { data: { name: 'chat', problem: '500' } },
      'Webhook chat is parked until somebody resumes it: 500',
      ['/webhooks'],
    ],
    [
      'request.denied',
      { data: { method: 'PUT', path: '/api/v0/pause', status: 403, code: 'forbidden', times: 1 } },
      'PUT /api/v0/pause was refused: forbidden',
      [],
    ],
    ['thing.never_heard_of', { subject: 'x' }, 'thing: never heard of, x', []],
    ['constructor.name', {}, 'constructor: name', []],
  ])('%s %j', (type, more, text, pages) => {
    const words = eventWords(happened(type, more));
    expect(words.text).toBe(text);
    expect(words.links.map(pathOf)).toEqual(pages);
    expect(words.links.map(({ at, text: named }) => words.text.slice(at, at + named.length))).toEqual(
      words.links.map(({ text: named }) => named),
    );
  });

  test.each(EVENT_TYPES.map(type => [type]))(
    '%s is known, and no text is lost where nothing is told',
    type => {
      const told = happened(type, { subject: 'x' });
      const words = eventWords(told);
      expect(words.text).not.toBe(spelt(told).text);
      expect(words.text).not.toMatch(/undefined|null/);
    },
  );

  test('links stand where their text is', () => {
    const words = eventWords(happened('cluster.status', { cluster: 'is', data: { to: 'ok' } }));
    const parts = partsOf(words).map(part => (typeof part === 'string' ? part : [part.text]));
    expect(parts).toEqual(['Cluster ', ['is'], ' is ok']);
    expect(words.links.every(({ at, text }) => words.text.startsWith(text, at))).toBe(true);
  });
});
