import { expect, test } from 'vitest';
import { keyFileOf } from './key-file-of.ts';

test.each([
  ['ssh-ed25519', '/etc/ssh/ssh_host_ed25519_key.pub'],
  ['ssh-rsa', '/etc/ssh/ssh_host_rsa_key.pub'],
  ['ecdsa-sha2-nistp256', '/etc/ssh/ssh_host_ecdsa_key.pub'],
  ['of-another-day', '/etc/ssh/ssh_host_ed25519_key.pub'],
])('a key %s is in %s', (type, file) => {
  expect(keyFileOf(type)).toBe(file);
});
