import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';
import { toolEnvironment } from './real-hosts/run-tool.ts';

/** Like `describe`, but skips the suite with a message if there is a reason. */
export function describeUnless(reason: string | undefined, name: string, tests: () => void): void {
  if (reason !== undefined)
    process.stderr.write(
      `SKIPPED: ${name}: ${reason} (as root on Debian, npm test or npm run test:all installs missing programs)\n`,
    );
  describe.runIf(reason === undefined)(name, tests);
}

export const checkRoot = (): string | undefined =>
  process.getuid?.() === 0 ? undefined : 'only root can start these programs';

const isMissing = (line: string): boolean => {
  const [program = '', ...args] = line.split(' ');
  return spawnSync(program, args, { env: toolEnvironment() }).error !== undefined;
};

/** Each line is a program with a harmless argument. */
export function checkPrograms(lines: readonly string[]): string | undefined {
  const missing = lines.filter(isMissing).map(line => line.split(' ')[0]);
  return missing.length > 0 ? `missing programs: ${missing.join(', ')}` : undefined;
}

export const describeWithPrograms = (name: string, lines: readonly string[], tests: () => void): void =>
  describeUnless(checkPrograms(lines), name, tests);

const ETCD_PROGRAMS = ['etcd --version', 'openssl version', 'setpriv --version', 'flock --version'];

export const describeOnEtcd = (name: string, tests: () => void): void =>
  describeUnless(checkRoot() ?? checkPrograms(ETCD_PROGRAMS), name, tests);

const DOCKER_PROGRAMS = [
  ...['dockerd --version', 'docker --version', 'containerd --version', 'runc --version', 'iptables --version'],
  ...['busybox true', 'ip -V', 'unshare --version', 'nsenter --version', 'openssl version', 'tar --version'],
];

export const describeOnDocker = (name: string, tests: () => void): void =>
  describeUnless(checkRoot() ?? checkPrograms(DOCKER_PROGRAMS), name, tests);
