import { describe } from 'vitest';
import { tryFindProgram } from '../programs/find-program.ts';

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

export function checkPrograms(names: readonly string[]): string | undefined {
  const missing = names.filter(name => tryFindProgram(name) === undefined);
  return missing.length > 0 ? `missing programs: ${missing.join(', ')}` : undefined;
}

export const describeWithPrograms = (name: string, programs: readonly string[], tests: () => void): void =>
  describeUnless(checkPrograms(programs), name, tests);

const ETCD_PROGRAMS = ['etcd', 'openssl', 'setpriv', 'flock'];

export const describeOnEtcd = (name: string, tests: () => void): void =>
  describeUnless(checkRoot() ?? checkPrograms(ETCD_PROGRAMS), name, tests);

const DOCKER_PROGRAMS = [
  'dockerd',
  'docker',
  'containerd',
  'runc',
  'iptables',
  'busybox',
  'ip',
  'unshare',
  'nsenter',
  'openssl',
  'tar',
];

export const describeOnDocker = (name: string, tests: () => void): void =>
  describeUnless(checkRoot() ?? checkPrograms(DOCKER_PROGRAMS), name, tests);
