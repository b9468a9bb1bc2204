import { expect, test } from 'vitest';
import { differentContent } from '../../app/unit-of-work.ts';
import { GLOBAL_PAUSE_MESSAGE } from '../../domain/rollout/operation.ts';
import { NAME_MESSAGE } from '../../domain/vocabulary.ts';
import { INVALID_ADDRESS, INVALID_NAME } from '../../http/register-route.ts';
import { addHostnames, describeField, formatServerText } from './server-text.ts';

test.each([
  ['/policy/max_unavailable', '--max-unavailable'],
  ['/policy/min_healthy_s', '--min-healthy'],
  ['/policy/timeouts/ready', '--timeout ready'],
  ['/policy/hosts/3', '--hosts'],
  ['/policy/max_unavailabel', 'policy.max_unavailabel'],
  ['/max_failures', '--max-failures'],
  ['/events/0', '--event'],
  ['/options/server_url', '--option server_url'],
  ['/options', '--option'],
  ['/expires_in_s', '--expires'],
  ['/legacy/account', '--account'],
  ['/legacy/password', 'the password'],
  ['/hosts/0', 'hosts'],
  ['/hosts/3/transport', '--transport'],
  ['/hosts/0/host_keys/1', '--host-key'],
  ['/label/1', '--label'],
  ['/os', '--os'],
  ['/labels/a~1b', 'labels.a/b'],
  ['/password', 'password'],
  ['/constructor', 'constructor'],
  ['', ''],
])('describeField() converts the pointer %j to %j', (pointer, name) => {
  expect(describeField(pointer)).toBe(name);
});

test.each([
  [INVALID_NAME, `the name ${NAME_MESSAGE}`],
  [INVALID_ADDRESS, 'the address must be an IPv4 or IPv6 address'],
  [GLOBAL_PAUSE_MESSAGE, 'all operations are paused; resume them with: hostler operation resume-all'],
  [
    differentContent('the network lab').detail,
    'the network lab exists with different content; remove it first, or use another name',
  ],
  ['raise max_unavailable', 'raise --max-unavailable'],
])('formatServerText() converts %j to %j', (text, printed) => {
  expect(formatServerText(text)).toBe(printed);
});

test.each([
  ['checking 127.0.0.1, 127.0.0.12 and ::1', 'checking web-1 (127.0.0.1), 127.0.0.12 and web-6 (::1)'],
  ['127.0.0.1: refused (since 2026-11-16 12:03:05 UTC)', 'web-1 (127.0.0.1): refused (since 2026-11-16 12:03:05 UTC)'],
  ['127.0.0.1:22, 127.0.0.1.5 and a127.0.0.1', '127.0.0.1:22, 127.0.0.1.5 and a127.0.0.1'],
])('addHostnames(%j)', (text, expected) => {
  const hostnames = new Map([
    ['127.0.0.1', 'web-1'],
    ['127.0.0.12', ''],
    ['::1', 'web-6'],
  ]);
  expect(addHostnames(text, address => hostnames.get(address))).toBe(expected);
});
