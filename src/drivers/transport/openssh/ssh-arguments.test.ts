import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { HOST_KEY } from '../../../../test/harness/keys.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { Secret } from '../../../domain/secret.ts';
import { commandArguments, keyProbeArguments, masterArguments } from './ssh-arguments.ts';

const target = {
  address: '127.0.0.1' as Address,
  port: 2222,
  user: 'core',
  privateKey: new Secret('not used'),
  hostKeys: [HOST_KEY],
};
const parameters = { target, configFile: undefined, timeoutMs: 5000 };
const files = {
  controlSocket: '/run/x/master',
  agentSocket: '/run/x/agent',
  knownHosts: '/run/x/known_hosts',
};
const master = masterArguments(parameters, files);

/** What ssh makes of its arguments. */
function settings(args: readonly string[]): string[] {
  return spawnSync('ssh', ['-G', ...args], { encoding: 'utf8' }).stdout.split('\n');
}
const valuesOf = (args: readonly string[], name: string) =>
  settings(args).flatMap(line => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));

test('ssh by itself would offer the keys of the account, and offers none of them for us', () => {
  expect(valuesOf(['-F', 'none', '127.0.0.1'], 'identityfile').length).toBeGreaterThan(1);
  for (const args of [
    master,
    keyProbeArguments(parameters, name => `/run/x/${name}`),
    commandArguments('/run/x/master'),
  ]) {
    expect(valuesOf(args, 'identityfile')).toEqual(['none']);
  }
});

test('ssh is held to the types of the known keys, certified ones only where a file may name an authority', () => {
  expect(valuesOf(master, 'hostkeyalgorithms')).toEqual(['ssh-ed25519']);
  const configured = masterArguments({ ...parameters, configFile: '/dev/null' }, files);
  expect(valuesOf(configured, 'hostkeyalgorithms')).toEqual(['ssh-ed25519-cert-v01@openssh.com,ssh-ed25519']);
});

test.each([
  ['some are', [HOST_KEY], 'true'],
  ['none is', [], 'accept-new'],
])('ssh is told whether to take an unknown key where %s known', (_which, hostKeys, expected) => {
  const args = masterArguments({ ...parameters, target: { ...target, hostKeys } }, files);
  expect(valuesOf(args, 'stricthostkeychecking')).toEqual([expected]);
});

test('ssh reads no known hosts of the machine without a file that says so', () => {
  expect(valuesOf(master, 'globalknownhostsfile')).toEqual(['none']);
  expect(valuesOf(master, 'userknownhostsfile')).toEqual([files.knownHosts]);
});
