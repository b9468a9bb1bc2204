import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { HOST_KEY } from '../../../../test/harness/credentials.ts';
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

/** Effective settings of ssh for these arguments. */
function settings(args: readonly string[]): string[] {
  return spawnSync('ssh', ['-G', ...args], { encoding: 'utf8' }).stdout.split('\n');
}
const valuesOf = (args: readonly string[], name: string) =>
  settings(args).flatMap(line => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));

test('ssh arguments exclude the keys of the service account', () => {
  expect(valuesOf(['-F', 'none', '127.0.0.1'], 'identityfile').length).toBeGreaterThan(1);
  for (const args of [
    master,
    keyProbeArguments(parameters, name => `/run/x/${name}`),
    commandArguments('/run/x/master'),
  ]) {
    expect(valuesOf(args, 'identityfile')).toEqual(['none']);
  }
});

test('ssh arguments allow only the types of known keys, and certificates only with an ssh_config', () => {
  expect(valuesOf(master, 'hostkeyalgorithms')).toEqual(['ssh-ed25519']);
  const configured = masterArguments({ ...parameters, configFile: '/dev/null' }, files);
  expect(valuesOf(configured, 'hostkeyalgorithms')).toEqual(['ssh-ed25519-cert-v01@openssh.com,ssh-ed25519']);
});

test.each([
  ['some keys are', [HOST_KEY], 'true'],
  ['no keys are', [], 'accept-new'],
])('ssh arguments set the host key check if %s known', (_label, hostKeys, expected) => {
  const args = masterArguments({ ...parameters, target: { ...target, hostKeys } }, files);
  expect(valuesOf(args, 'stricthostkeychecking')).toEqual([expected]);
});

test('ssh arguments exclude the known hosts of the machine unless there is an ssh_config', () => {
  expect(valuesOf(master, 'globalknownhostsfile')).toEqual(['none']);
  expect(valuesOf(master, 'userknownhostsfile')).toEqual([files.knownHosts]);
});
