import { expect, test } from 'vitest';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { loadConfig } from '../configuration/config.ts';
import { transportOf } from './transport-of.ts';

const configOf = (environment: Record<string, string>) => loadConfig({ environment, flags: {} });

test('hosts are reached by default, and not at all when the setting says none', () => {
  expect(transportOf(configOf({}))).toBeDefined();
  expect(transportOf(configOf({ HOSTLER_TRANSPORT: 'openssh' }))).toBeDefined();
  expect(transportOf(configOf({ HOSTLER_TRANSPORT: 'none' }))).toBeUndefined();
});

test('an ssh_config that cannot be read is told at the start', () => {
  const open = () => transportOf(configOf({ HOSTLER_OPENSSH_CONFIG: '/nowhere/ssh_config' }));
  expect(open).toThrow(PlainError);
  expect(open).toThrow('openssh_config: cannot read /nowhere/ssh_config (ENOENT)');
});
