import { expect, test } from 'vitest';
import { hostKeyAlgorithms } from './host-keys.ts';

test.each([
  [['ssh-ed25519 AAAA'], ['ssh-ed25519']],
  [['ssh-rsa AAAA root@host'], ['rsa-sha2-512', 'rsa-sha2-256']],
  [
    ['ecdsa-sha2-nistp384 AAAA', 'ssh-ed25519 AAAA', 'ssh-ed25519 BBBB'],
    ['ssh-ed25519', 'ecdsa-sha2-nistp384'],
  ],
])('of a host that is known by %j only %j is asked for', (keys, algorithms) => {
  expect(hostKeyAlgorithms(keys)).toEqual(algorithms);
});

test('a host that is not known may show a key of any current type, never one signed with SHA-1', () => {
  expect(hostKeyAlgorithms([])).toEqual([
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'rsa-sha2-512',
    'rsa-sha2-256',
  ]);
});
