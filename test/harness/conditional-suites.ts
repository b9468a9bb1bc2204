import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';
import { toolEnvironment } from './real-hosts/run-tool.ts';

/** Like `describe`, but skips the suite with a message if there is a reason. */
export function describeUnless(reason: string | undefined, missing: string, name: string, tests: () => void): void {
  if (reason !== undefined)
    process.stderr.write(
      `SKIPPED: ${name}: ${missing} here (as root on Debian, npm test or npm run test:all installs the missing programs): ${reason}\n`,
    );
  describe.runIf(reason === undefined)(name, tests);
}

const isMissing = (line: string): boolean => {
  const [program = '', ...args] = line.split(' ');
  return spawnSync(program, args, { env: toolEnvironment() }).error !== undefined;
};

/** Each line is a program with a harmless argument. */
export const findMissingPrograms = (lines: readonly string[]): string[] =>
  lines.filter(isMissing).map(line => line.split(' ')[0] ?? '');

/** Returns why servers that need these programs cannot be started. */
export function checkPrograms(lines: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can start them';
  const missing = findMissingPrograms(lines);
  return missing.length > 0 ? `missing: ${missing.join(', ')}` : undefined;
}

export function describeWithPrograms(name: string, lines: readonly string[], tests: () => void): void {
  const missing = findMissingPrograms(lines);
  const reason = missing.length > 0 ? `missing: ${missing.join(', ')}` : undefined;
  describeUnless(reason, 'programs that the documents use are missing', name, tests);
}

const ETCD_PROGRAMS = ['etcd --version', 'openssl version', 'setpriv --version', 'flock --version'];

export const describeOnEtcd = (name: string, tests: () => void): void =>
  describeUnless(checkPrograms(ETCD_PROGRAMS), 'no etcd can be started', name, tests);

const DOCKER_PROGRAMS = [
  ...['dockerd --version', 'docker --version', 'containerd --version', 'runc --version', 'iptables --version'],
  ...['busybox true', 'ip -V', 'unshare --version', 'nsenter --version', 'openssl version', 'tar --version'],
];

export const describeOnDocker = (name: string, tests: () => void): void =>
  describeUnless(checkPrograms(DOCKER_PROGRAMS), 'no Docker daemons can be started', name, tests);
