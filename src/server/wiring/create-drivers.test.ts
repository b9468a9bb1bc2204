import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { OperatorError } from '../../lib/errors.ts';
import { loadConfig } from '../configuration/config.ts';
import { createTransport, resolveTempFolder } from './create-drivers.ts';

const loadTestConfig = (environment: Record<string, string>) => loadConfig({ environment, flags: {} });

test('hosts are reached by default, and not at all when the setting says none', () => {
  expect(createTransport(loadTestConfig({}))).toBeDefined();
  expect(createTransport(loadTestConfig({ HOSTLER_TRANSPORT: 'openssh' }))).toBeDefined();
  expect(createTransport(loadTestConfig({ HOSTLER_TRANSPORT: 'none' }))).toBeUndefined();
});

test('an ssh_config that cannot be read is told at the start', () => {
  const open = () => createTransport(loadTestConfig({ HOSTLER_OPENSSH_CONFIG: '/nowhere/ssh_config' }));
  expect(open).toThrow(OperatorError);
  expect(open).toThrow('openssh_config: cannot read /nowhere/ssh_config (ENOENT)');
});

test.each([
  ['where all have theirs', tmpdir(), tmpdir()],
  ['in the data directory where that is missing', '/nowhere/at/all', '/srv/data'],
])('temporary files are %s', (_where, systemFolder, expected) => {
  expect(resolveTempFolder('/srv/data', systemFolder)).toBe(expected);
});
