import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'vitest';
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

function run(line: string) {
  const [program = '', ...args] = line.split(' ');
  return spawnSync(program, args, { env: toolEnvironment(), encoding: 'utf8' });
}

const isMissing = (line: string) => run(line).error !== undefined;

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
  if (process.getuid?.() !== 0) return 'only root can start them';
  const missing = tools.filter(isMissing).map(line => line.split(' ')[0]);
  if (missing.length > 0) return `there is no ${missing.join(', no ')}`;
  if (['mmdebstrap --version', 'debootstrap --version'].every(isMissing)) return 'there is no mmdebstrap';
  return undefined;
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

function describeUnless(reason: string | undefined, name: string, tests: () => void): void {
  if (reason !== undefined)
    process.stderr.write(
      `SKIPPED: ${name}, since no hosts can be started here (as root on Debian, npm test installs what they need): ${reason}\n`,
    );
  describe.runIf(reason === undefined)(name, tests);
}

const forLight = () => problemWithTools(FOR_LIGHT) ?? problemWithNamespaces();
const forSystemd = () =>
  problemWithTools([...FOR_LIGHT, ...FOR_SYSTEMD]) ?? problemWithNamespaces() ?? problemWithCgroups();

/** As `describe`, for light hosts; where they cannot be started, it says so and leaves the tests out. */
export const describeOnRealHosts = (name: string, tests: () => void): void =>
  describeUnless(forLight(), name, tests);

/** The same for systemd hosts. */
export const describeOnSystemdHosts = (name: string, tests: () => void): void =>
  describeUnless(forSystemd(), name, tests);
