// How this machine reaches package archives and registries, so that a fresh one reaches the same: proxies, certificates, registries.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Argv } from '../../src/domain/command.ts';
import { machineArchive } from '../../test/harness/hosts/apt-sources.ts';
import { containedWithUs, dyingWithUs, runTool } from '../../test/harness/hosts/run-tool.ts';
import { PROJECT } from '../../test/harness/programs/process.ts';

const NETWORK_VARIABLE = /^(?:(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS)$/i;
const APT_OPTION = /^Acquire::(?:\w+::Proxy\b|Check-Valid-Until )/;

export const getNetworkVariables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      NETWORK_VARIABLE.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );

/** Lines for apt.conf. */
export async function readAptOptions(): Promise<string[]> {
  return (await runTool(['apt-config', 'dump'])).split('\n').filter(line => APT_OPTION.test(line));
}

/** By path on this machine, and on the fresh one. */
function listNetworkFiles(): readonly (readonly [from: string, to: string])[] {
  const same = [
    ...['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'],
    ...['/usr/local/share/ca-certificates', process.env['NODE_EXTRA_CA_CERTS'] ?? ''],
  ];
  const registry = path.join(homedir(), '.npmrc');
  return [...same.map(file => [file, file] as const), [registry, '/root/.npmrc'] as const];
}

export function copyNetworkSettings(root: string): void {
  for (const [from, to] of listNetworkFiles().filter(([each]) => each !== '' && existsSync(each))) {
    mkdirSync(path.dirname(path.join(root, to)), { recursive: true });
    cpSync(from, path.join(root, to), { recursive: true, dereference: true });
  }
}

const ENTER_SCRIPT = path.join(import.meta.dirname, 'enter.sh');

/** What a root has who has just logged in, and how the machine reaches others. */
export const getMachineEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  ...getNetworkVariables(),
});

/** What runs a command on the machine with this root, in its checkout. The kernel ends all that it has started with it, and it with us. */
export const toMachineCommand = (root: string, command: Argv): Argv =>
  dyingWithUs(['unshare', '--mount', '--pid', '--fork', '--kill-child', ENTER_SCRIPT, root, ...command]);

/** Shows what the command says as it says it; answers how it ended. */
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

/** The oldest that is good enough, and the npm that comes with it. */
const NODE_PACKAGES = [`node-linux-${process.arch}@20.20.2`, 'npm@10.8.2'];
const PACKAGES = ['git', 'ca-certificates'];

/** The root file system of a machine with Node, npm and Git on it, and a clone of what is committed here. Nothing else. */
export async function createImage(folder: string): Promise<void> {
  const { codename, lines } = machineArchive();
  const env = getNetworkVariables();
  const options = [
    ...['--mode=root', '--variant=minbase', '--format=directory', `--include=${PACKAGES.join(',')}`],
    ...(await readAptOptions()).map(line => `--aptopt=${line}`),
  ];
  await runTool(containedWithUs(['mmdebstrap', ...options, codename, folder, '-']), {
    input: `${lines.join('\n')}\n`,
    env,
  });
  await runTool(
    ['npm', 'install', '--global', `--prefix=${folder}/usr/local`, '--ignore-scripts', ...NODE_PACKAGES],
    {
      env,
    },
  );
  await runTool(['git', 'clone', '--quiet', `file://${PROJECT}`, `${folder}/root/hostler`]);
  copyNetworkSettings(folder);
}
