import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '#vocabulary';
import type { TextLink } from './event-message-parts.ts';
import { splitLinks } from './event-message-parts.ts';
import type { EventLike } from './event-messages.ts';
import { eventMessage, fallbackMessage } from './event-messages.ts';

const createEvent = (type: string, fields: Partial<EventLike> = {}): EventLike => ({
  ...{ type, cluster: null, host: null, operation: null, data: {} },
  ...fields,
});

const host = '127.0.0.1';
const web = { cluster: 'web' };
const operationFields = { ...web, operation: 'Op1' };

const toPath = ({ to, params = {} }: TextLink) => to.replace(/\$(\w+)/g, (_, name) => params[name] ?? '?');

describe('eventMessage', () => {
  test.each<[string, Partial<EventLike>, string, readonly string[]]>([
    ['account.created', { data: { name: 'ann', role: 'operator' } }, 'Account ann created (operator)', ['/accounts']],
    [
      'account.login_failed',
      { data: { code: 'bad_password', count: 3, account_exists: false } },
      'Sign-in as an unknown account failed: bad password (3 times)',
      [],
    ],
    ['account.signed_in', { subject: 'ann' }, 'Account ann signed in', ['/accounts']],
    [
      'cluster.created',
      { ...web, data: { network: 'default', container_manager: 'k8s' } },
      'Cluster web created: network default, container manager k8s',
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
      '127.0.0.1 joined web; ::1 and 1 other host left',
      ['/hosts/127.0.0.1', '/clusters/web', '/hosts/::1'],
    ],
    [
      'cluster.status',
      { ...web, data: { from: 'ok', to: 'degraded' } },
      'Cluster web changed from OK to degraded',
      ['/clusters/web'],
    ],
    ['cluster.removed', web, 'Cluster web removed', []],
    ['host.created', { host, data: { token: 't1' } }, 'Host 127.0.0.1 enrolled with token t1', [`/hosts/${host}`]],
    [
      'host.status',
      {
        host,
        data: { from: 'active', to: 'unreachable', reason: 'unreachable: no route', in_maintenance: true },
      },
      'Host 127.0.0.1 changed from active to unreachable (in maintenance; no route)',
      [`/hosts/${host}`],
    ],
    [
      'host.status',
      { host, data: { from: 'investigating', to: 'failed', reason: 'auth_rejected: no such key' } },
      'Host 127.0.0.1 changed from investigating to failed (auth_rejected: no such key)',
      [`/hosts/${host}`],
    ],
    [
      'host.labels_changed',
      { host, data: { labels: { ring: 'first', a: '' } } },
      'Labels of host 127.0.0.1 set to a, ring=first',
      [`/hosts/${host}`],
    ],
    ['host.labels_changed', { host, data: { labels: {} } }, 'All labels of host 127.0.0.1 removed', [`/hosts/${host}`]],
    [
      'host.maintenance_changed',
      { host, data: { on: true, reason: 'disk' } },
      'Host 127.0.0.1 entered maintenance: disk',
      [`/hosts/${host}`],
    ],
    ['host.maintenance_changed', { host, data: { on: false } }, 'Host 127.0.0.1 left maintenance', [`/hosts/${host}`]],
    [
      'operation.started',
      { ...operationFields, data: { kind: 'deploy', version: '44.1', hosts: 1 } },
      'Deploy of web to 44.1 started on 1 host',
      ['/operations/Op1', '/clusters/web'],
    ],
    [
      'operation.started',
      { ...operationFields, data: { kind: 'restart', hosts: 12 } },
      'Restart of web started on 12 hosts',
      ['/operations/Op1', '/clusters/web'],
    ],
    [
      'operation.started',
      { ...operationFields, data: {} },
      'Operation of web started',
      ['/operations/Op1', '/clusters/web'],
    ],
    [
      'operation.state',
      {
        ...operationFields,
        data: {
          kind: 'restart',
          state: 'paused',
          paused_by: 'failures',
          problem: 'too_many_failures: 1 failed, at most 0 allowed',
        },
      },
      'Restart of web paused because hosts failed (too_many_failures: 1 failed, at most 0 allowed)',
      ['/operations/Op1', '/clusters/web'],
    ],
    [
      'operation.state',
      {
        ...operationFields,
        data: { kind: 'restart', state: 'running', problem: 'checking ::1 (unreachable), ::2 and 8 more' },
      },
      'Restart of web is checking hosts',
      ['/operations/Op1', '/clusters/web'],
    ],
    [
      'operation.host',
      { ...operationFields, host, data: { kind: 'restart', state: 'rebooting', attempt: 2 } },
      'Restart of web: host 127.0.0.1 is rebooting (attempt 2)',
      ['/operations/Op1', '/clusters/web', `/hosts/${host}`],
    ],
    [
      'operation.host',
      {
        ...operationFields,
        host,
        data: { kind: 'upgrade', state: 'unreachable', attempt: 1, problem: 'unreachable: no route' },
      },
      'Upgrade of web: host 127.0.0.1 is unreachable (no route)',
      ['/operations/Op1', '/clusters/web', `/hosts/${host}`],
    ],
    [
      'operation.host',
      {
        ...operationFields,
        host,
        data: { kind: 'upgrade', state: 'failed', attempt: 1, problem: 'command_failed: no space' },
      },
      'Upgrade of web: host 127.0.0.1 failed (command_failed: no space)',
      ['/operations/Op1', '/clusters/web', `/hosts/${host}`],
    ],
    [
      'operation.host',
      { ...operationFields, host, data: { kind: 'deploy', state: 'armed', attempt: 1 } },
      'Deploy of web: host 127.0.0.1 is waiting to reboot',
      ['/operations/Op1', '/clusters/web', `/hosts/${host}`],
    ],
    ['operation.ended', { operation: 'Op1', data: { state: 'finished' } }, 'Operation finished', ['/operations/Op1']],
    ['network.removed', { subject: 'old' }, 'Network old removed', []],
    [
      'webhook.disabled',
      { data: { name: 'chat', problem: '500' } },
      'Webhook chat disabled until a user resumes it (500)',
      ['/webhooks'],
    ],
    [
      'request.denied',
      { data: { method: 'PUT', path: '/api/v0/pause', status: 403, code: 'forbidden', count: 1 } },
      'PUT /api/v0/pause denied: forbidden',
      [],
    ],
    [
      'request.denied',
      { data: { method: 'PUT', path: '/api/v0/cluster/web', status: 400, code: 'invalid_body', count: 2 } },
      'PUT /api/v0/cluster/web rejected: invalid body (2 times)',
      [],
    ],
    ['thing.unknown_type', { subject: 'x' }, 'thing: unknown type, x', []],
    ['constructor.name', {}, 'constructor: name', []],
  ])('formats %s %j', (type, fields, text, pages) => {
    const message = eventMessage(createEvent(type, fields));
    expect(message.text).toBe(text);
    expect(message.links.map(toPath)).toEqual(pages);
    expect(
      message.links.map(({ start, text: linkText }) => message.text.slice(start, start + linkText.length)),
    ).toEqual(message.links.map(({ text: linkText }) => linkText));
  });

  test.each(EVENT_TYPES.map(type => [type]))('has a message without missing values for an empty %s event', type => {
    const event = createEvent(type, { subject: 'x' });
    const message = eventMessage(event);
    expect(message.text).not.toBe(fallbackMessage(event).text);
    expect(message.text).not.toMatch(/undefined|null/);
  });

  test('names hosts by their hostnames, and hosts without one by their addresses', () => {
    const hostnames = new Map([
      [host, 'web-1'],
      ['::1', 'web-2'],
    ]);
    const joined = createEvent('cluster.members', { ...web, data: { joined: [host], left: ['::1', '::2'] } });
    const message = eventMessage(joined, hostnames);
    expect(message.text).toBe('web-1 joined web; web-2 and 1 other host left');
    expect(message.links.map(toPath)).toEqual(['/hosts/127.0.0.1', '/clusters/web', '/hosts/::1']);
    expect(message.links.map(({ title }) => title)).toEqual([host, undefined, '::1']);
    expect(message.links.every(({ start, text }) => message.text.startsWith(text, start))).toBe(true);
    const removed = createEvent('host.status', { host: '::3', data: { to: 'failed' } });
    expect(eventMessage(removed, hostnames).text).toBe('Host ::3 is now failed');
  });

  test('places links at the position of their text', () => {
    const message = eventMessage(createEvent('cluster.status', { cluster: 'is', data: { to: 'ok' } }));
    const parts = splitLinks(message).map(part => (typeof part === 'string' ? part : [part.text]));
    expect(parts).toEqual(['Cluster ', ['is'], ' is now OK']);
    expect(message.links.every(({ start, text }) => message.text.startsWith(text, start))).toBe(true);
  });
});
