// Creates a clean machine with the network settings of this one: proxies, certificates and registries.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Argv } from '../../src/domain/command.ts';
import { PROJECT } from '../../test/harness/programs/process.ts';
import { inOwnNamespaces, runTool, withParentDeathSignal } from '../../test/harness/programs/run-tool.ts';
import { machineArchive } from '../../test/harness/real-hosts/apt-sources.ts';

const NETWORK_VARIABLE = /^(?:(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS)$/i;
const APT_OPTION = /^Acquire::(?:\w+::Proxy\b|Check-Valid-Until )/;

const getNetworkVariables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      NETWORK_VARIABLE.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );

/** Lines for apt.conf. */
async function readAptOptions(): Promise<string[]> {
  return (await runTool(['apt-config', 'dump'])).split('\n').filter(line => APT_OPTION.test(line));
}

/** Paths on this machine and on the clean machine. */
function listNetworkFiles(): readonly (readonly [from: string, to: string])[] {
  const samePaths = [
    ...['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'],
    ...['/usr/local/share/ca-certificates', process.env['NODE_EXTRA_CA_CERTS'] ?? ''],
  ];
  const registry = path.join(homedir(), '.npmrc');
  return [...samePaths.map(file => [file, file] as const), [registry, '/root/.npmrc'] as const];
}

function copyNetworkSettings(root: string): void {
  for (const [from, to] of listNetworkFiles().filter(([file]) => file !== '' && existsSync(file))) {
    mkdirSync(path.dirname(path.join(root, to)), { recursive: true });
    cpSync(from, path.join(root, to), { recursive: true, dereference: true });
  }
}

const ENTER_SCRIPT = path.join(import.meta.dirname, 'enter.sh');

/** The environment of root after a login, with network variables. */
export const getMachineEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  ...getNetworkVariables(),
});

/**
 * The command line that runs a command in the checkout of a machine. The kernel kills all its processes when
 * it ends, and ends it with this process.
 */
export const toMachineCommand = (root: string, command: Argv): Argv =>
  withParentDeathSignal(['unshare', '--mount', '--pid', '--fork', '--kill-child', ENTER_SCRIPT, root, ...command]);

/** Prints the output of the command and returns its exit code. */
export async function runOnMachine(root: string, command: Argv, limitMs: number): Promise<number> {
  const [program, ...args] = toMachineCommand(root, command);
  const child = spawn(program, args, {
    env: getMachineEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : -1;
}

/** The oldest supported version, and its npm. */
const NODE_PACKAGES = [`node-linux-${process.arch}@20.20.2`, 'npm@10.8.2'];
const PACKAGES = ['git', 'ca-certificates'];

/** Creates a root file system with only Node, npm, Git and a clone of the committed files. */
export async function createImage(folder: string): Promise<void> {
  const { codename, lines } = machineArchive();
  const env = getNetworkVariables();
  const options = [
    ...['--mode=root', '--variant=minbase', '--format=directory', `--include=${PACKAGES.join(',')}`],
    ...(await readAptOptions()).map(line => `--aptopt=${line}`),
  ];
  await runTool(inOwnNamespaces(['mmdebstrap', ...options, codename, folder, '-']), {
    input: `${lines.join('\n')}\n`,
    env,
  });
  await runTool(['npm', 'install', '--global', `--prefix=${folder}/usr/local`, '--ignore-scripts', ...NODE_PACKAGES], {
    env,
  });
  await runTool(['git', 'clone', '--quiet', `file://${PROJECT}`, `${folder}/root/hostler`]);
  copyNetworkSettings(folder);
}
