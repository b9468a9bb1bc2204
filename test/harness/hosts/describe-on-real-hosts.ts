import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';
import { toolEnvironment } from './run-tool.ts';

/** What light hosts need of this machine beside root, each with an argument that does no harm. */
const TOOLS = [
  ...['unshare --version', 'nsenter --version', 'setpriv --version', 'flock --version', 'ssh -V'],
  ...['ssh-keygen -?'],
];

function problem(tools: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can start them';
  const run = (line: string) => {
    const [program = '', ...args] = line.split(' ');
    return spawnSync(program, args, { env: toolEnvironment(), encoding: 'utf8' });
  };
  const missing = tools.filter(line => run(line).error !== undefined).map(line => line.split(' ')[0]);
  if (missing.length > 0) return `there is no ${missing.join(', no ')}`;
  const builders = ['mmdebstrap --version', 'debootstrap --version'];
  if (builders.every(line => run(line).error !== undefined)) return 'there is no mmdebstrap';
  const namespaces = run('unshare --mount --uts --ipc --pid --time --fork --kill-child true');
  return namespaces.status === 0 ? undefined : `namespaces cannot be had: ${namespaces.stderr.trim()}`;
}

function describeWith(tools: readonly string[], name: string, tests: () => void): void {
  const reason = problem(tools);
  if (reason !== undefined)
    process.stderr.write(
      `SKIPPED: ${name}, since no hosts can be started here (as root on Debian, npm test installs what they need): ${reason}\n`,
    );
  describe.runIf(reason === undefined)(name, tests);
}

/** As `describe`; where hosts cannot be started, it says so and leaves the tests out. */
export const describeOnRealHosts = (name: string, tests: () => void): void =>
  describeWith(TOOLS, name, tests);
