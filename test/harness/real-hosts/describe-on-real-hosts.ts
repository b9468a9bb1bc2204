import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { toolEnvironment } from '../programs/run-tool.ts';
import { checkPrograms, checkRoot, describeUnless } from '../vitest/conditional-suites.ts';
import { cgroupRoots } from './cgroups.ts';
import { RUNS } from './run-folder.ts';

/** The first test that needs an image builds it. */
export const IMAGE_BUILD_MS = 900_000;

const LIGHT_HOST_PROGRAMS = ['unshare', 'nsenter', 'setpriv', 'flock', 'ip', 'ssh', 'ssh-keygen'];
const SYSTEMD_HOST_PROGRAMS = ['systemd-nspawn', 'dpkg-deb', 'rpmbuild', 'createrepo_c', 'ostree', 'chattr'];

/** In a container the disk may already be an overlay, which cannot hold another one. */
const OVERLAY = `cd "$0" && mkdir lower upper work root &&
exec unshare --mount --uts --ipc --pid --time --fork --kill-child \\
  mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work root`;

function checkNamespaces(): string | undefined {
  mkdirSync(RUNS, { recursive: true });
  const folder = mkdtempSync(path.join(RUNS, 'probe-'));
  const { status, stderr } = spawnSync('sh', ['-c', OVERLAY, folder], {
    env: toolEnvironment(),
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? undefined : `cannot create namespaces with an overlay: ${stderr.trim()}`;
}

function checkTools(tools: readonly string[]): string | undefined {
  const error = checkRoot() ?? checkPrograms(tools);
  if (error !== undefined) return error;
  return checkPrograms(['debootstrap']) && checkPrograms(['mmdebstrap']);
}

function checkCgroups(): string | undefined {
  try {
    for (const root of cgroupRoots()) {
      const folder = path.join(root, `hostler-tests-probe-${process.pid}`);
      mkdirSync(folder);
      rmdirSync(folder);
    }
    return undefined;
  } catch (error) {
    return `cannot create cgroups: ${String(error)}`;
  }
}

const checkLightHosts = () => checkTools(LIGHT_HOST_PROGRAMS) ?? checkNamespaces();
const checkSystemdHosts = () =>
  checkTools([...LIGHT_HOST_PROGRAMS, ...SYSTEMD_HOST_PROGRAMS]) ?? checkNamespaces() ?? checkCgroups();

/** Suite on light hosts. Skipped with a message if they cannot be started. */
export const describeOnRealHosts = (name: string, tests: () => void): void =>
  describeUnless(checkLightHosts(), name, tests);

export const describeOnSystemdHosts = (name: string, tests: () => void): void =>
  describeUnless(checkSystemdHosts(), name, tests);
