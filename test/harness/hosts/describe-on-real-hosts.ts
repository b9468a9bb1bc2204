import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describeUnless } from '../describe-unless.ts';
import { missingPrograms, problemWithPrograms } from '../programs/missing-programs.ts';
import { cgroupRoots } from './cgroups.ts';
import { RUNS } from './run-folder.ts';
import { toolEnvironment } from './run-tool.ts';

/** What hosts need of this machine, each with an argument that does no harm. */
const FOR_LIGHT = [
  ...['unshare --version', 'nsenter --version', 'setpriv --version', 'flock --version', 'ip -V'],
  ...['ssh -V', 'ssh-keygen -?'],
];
const FOR_SYSTEMD = [
  ...['systemd-nspawn --version', 'dpkg-deb --version', 'rpmbuild --version', 'createrepo_c --version'],
  ...['ostree --version', 'chattr -V'],
];

/** In a container the disk may be an overlay already, and then it cannot carry another. */
const OVERLAY = `cd "$0" && mkdir lower upper work root &&
exec unshare --mount --uts --ipc --pid --time --fork --kill-child \\
  mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work root`;

function problemWithNamespaces(): string | undefined {
  mkdirSync(RUNS, { recursive: true });
  const folder = mkdtempSync(path.join(RUNS, 'probe-'));
  const { status, stderr } = spawnSync('sh', ['-c', OVERLAY, folder], {
    env: toolEnvironment(),
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? undefined : `namespaces with an overlay cannot be had: ${stderr.trim()}`;
}

function problemWithTools(tools: readonly string[]): string | undefined {
  const problem = problemWithPrograms(tools);
  if (problem !== undefined) return problem;
  const either = ['mmdebstrap --version', 'debootstrap --version'];
  return missingPrograms(either).length === either.length ? 'there is no mmdebstrap' : undefined;
}

function problemWithCgroups(): string | undefined {
  try {
    for (const root of cgroupRoots()) {
      const folder = path.join(root, `hostler-tests-probe-${process.pid}`);
      mkdirSync(folder);
      rmdirSync(folder);
    }
    return undefined;
  } catch (error) {
    return `control groups cannot be made: ${String(error)}`;
  }
}

const LACKING = 'no hosts can be started';
const forLight = () => problemWithTools(FOR_LIGHT) ?? problemWithNamespaces();
const forSystemd = () =>
  problemWithTools([...FOR_LIGHT, ...FOR_SYSTEMD]) ?? problemWithNamespaces() ?? problemWithCgroups();

/** As `describe`, for light hosts; where they cannot be started, it says so and leaves the tests out. */
export const describeOnRealHosts = (name: string, tests: () => void): void =>
  describeUnless(forLight(), LACKING, name, tests);

/** The same for systemd hosts. */
export const describeOnSystemdHosts = (name: string, tests: () => void): void =>
  describeUnless(forSystemd(), LACKING, name, tests);
