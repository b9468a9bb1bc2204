import { expect, test } from 'vitest';
import { toTransportFailure } from './ssh-errors.ts';

const error = (message: string, properties: object = {}) => Object.assign(new Error(message), properties);

test.each([
  [error('connect', { code: 'ECONNREFUSED' }), 'unreachable', /connection refused.*ECONNREFUSED/],
  [error('connect', { code: 'EHOSTUNREACH' }), 'unreachable', /no route to the host/],
  [error('read', { code: 'ECONNRESET' }), 'unreachable', /closed the connection/],
  [error('All …', { level: 'client-authentication' }), 'auth_rejected', /rejected the user core with this key/],
  [
    error('Handshake failed: no matching key exchange algorithm'),
    'unreachable',
    /no key exchange algorithm that the transport ssh supports; the transport openssh may/,
  ],
  [error('Handshake failed: no matching C->S cipher'), 'unreachable', /no cipher that/],
  [error('Handshake failed: no matching host key format'), 'unreachable', /no host key format that/],
  [error('Too many authentication failures', { code: 2 }), 'unreachable', /failed: Too many authentication/],
  ['thrown text', 'unreachable', /thrown text/],
])('toTransportFailure for %s returns %s', (thrown, kind, detail) => {
  expect(toTransportFailure(thrown, 'core')).toMatchObject({ kind, detail: expect.stringMatching(detail) });
});

test('toTransportFailure sanitizes text from the host', () => {
  const { detail } = toTransportFailure(error(`bye\u001b[2J\n${'x'.repeat(5000)}`), 'core');
  expect(detail).not.toMatch(/[\p{C}\n]/u);
  expect(detail.length).toBeLessThan(300);
});
