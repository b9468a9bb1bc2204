import { expect, test } from 'vitest';
import { hostKeyAlgorithms } from './host-keys.ts';

test.each([
  [['ssh-ed25519 AAAA'], ['ssh-ed25519']],
  [['ssh-rsa AAAA root@host'], ['rsa-sha2-512', 'rsa-sha2-256']],
  [
    ['ecdsa-sha2-nistp384 AAAA', 'ssh-ed25519 AAAA', 'ssh-ed25519 BBBB'],
    ['ssh-ed25519', 'ecdsa-sha2-nistp384'],
  ],
])('hostKeyAlgorithms for the known keys %j returns %j', (keys, algorithms) => {
  expect(hostKeyAlgorithms(keys)).toEqual(algorithms);
});

test('hostKeyAlgorithms for an unknown host returns all algorithms except SHA-1', () => {
  expect(hostKeyAlgorithms([])).toEqual([
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'rsa-sha2-512',
    'rsa-sha2-256',
  ]);
});
