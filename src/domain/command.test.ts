import { expect, test } from 'vitest';
import type { Argv } from './command.ts';
import { executableName } from './command.ts';

test.each<[Argv, string]>([
  [['apt-get', 'update'], 'apt-get'],
  [['/usr/bin/k3s', '--token', 'secret'], 'k3s'],
  [['env', 'LC_ALL=C', '-i', 'PATH=/a b\n/c', '/usr/bin/apt-get', 'update'], 'apt-get'],
  [['env', '-u', 'NAME', 'apt-get'], 'env'],
  [['env', '-S', 'secret'], 'env'],
  [['env', 'A=secret'], 'env'],
  [['env'], 'env'],
  [['sh', '-c', 'secret'], 'sh'],
])('executableName of %j is %s', (argv, program) => {
  expect(executableName(argv)).toBe(program);
});
