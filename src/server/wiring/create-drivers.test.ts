import { tmpdir } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { OperatorError } from '../../lib/errors.ts';
import { loadConfig } from '../configuration/config.ts';
import { startMetrics } from '../metrics/metrics-service.ts';
import { createTransport, resolveTempFolder } from './create-drivers.ts';

const metrics = startMetrics('test', 'test');
afterAll(() => metrics.stop());

const openTransport = (environment: Record<string, string>) =>
  createTransport(loadConfig({ environment, flags: {} }), metrics.transport);

test('createTransport() returns a transport by default, and none for the setting none', () => {
  expect(openTransport({})).toBeDefined();
  expect(openTransport({ HOSTLER_TRANSPORT: 'openssh' })).toBeDefined();
  expect(openTransport({ HOSTLER_TRANSPORT: 'none' })).toBeUndefined();
});

test('createTransport() rejects an ssh_config file that cannot be read', () => {
  const open = () => openTransport({ HOSTLER_OPENSSH_CONFIG: '/nowhere/ssh_config' });
  expect(open).toThrow(OperatorError);
  expect(open).toThrow('openssh_config: cannot read /nowhere/ssh_config (ENOENT)');
});

test.each([
  ['the folder of the system', tmpdir(), tmpdir()],
  ['the data directory if that folder is missing', '/nowhere/at/all', '/srv/data'],
])('resolveTempFolder() returns %s', (_name, systemFolder, expected) => {
  expect(resolveTempFolder('/srv/data', systemFolder)).toBe(expected);
});
