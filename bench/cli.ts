// npm run bench:cli — the start time of CLI commands.
//
// Each round runs a bare Node, `hostler --help` and a simple GET (`hostler host show`) against a running
// server, and other command-line tools if they are installed. The limit applies to the median of a command
// above the bare Node.
//
//     npm run bench:cli              30 rounds
//     npm run bench:cli -- --quick   5 rounds

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findClientBundle } from '../bin/launcher.js';
import { PRIVATE_KEY } from '../test/harness/credentials.ts';
import { median } from './measure.ts';
import { ServerProcess } from './server-process.ts';

const ROUNDS = process.argv.includes('--quick') ? 5 : 30;
const LIMIT_MS = 100;
const PASSWORD = 'bench';
const ADDRESS = '127.66.0.1';

const root = path.resolve(import.meta.dirname, '..');

interface MeasuredCommand {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** The limit applies to it. */
  readonly isHostler?: true;
}

const hostler = (...args: string[]): MeasuredCommand => ({
  name: `hostler ${args.join(' ')}`,
  command: [process.execPath, path.join(root, 'bin/hostler.js'), ...args],
  isHostler: true,
});

const BASELINE: MeasuredCommand = { name: 'node -e 0', command: [process.execPath, '-e', '0'] };

const OTHER_COMMANDS: readonly MeasuredCommand[] = [
  { name: 'docker --version', command: ['docker', '--version'] },
  { name: 'ansible --version', command: ['ansible', '--version'] },
];

/** In milliseconds. Throws if the command fails, because a failure can be fast. */
function measureMs({ name, command: [program, ...args] }: MeasuredCommand, env: NodeJS.ProcessEnv): number {
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
  const elapsedMs = performance.now() - startedMs;
  if (status !== 0) throw new Error(`${name} exited with ${status}: ${stderr}`);
  return elapsedMs;
}

async function enrol(url: string): Promise<void> {
  const { status } = await fetch(`${url}/api/v0/host/${ADDRESS}`, {
    method: 'PUT',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ssh_priv_key: PRIVATE_KEY }),
  });
  if (status !== 201) throw new Error(`cannot enrol the host: ${status}`);
}

function report(times: ReadonlyMap<MeasuredCommand, readonly number[]>): boolean {
  const baselineMs = median(times.get(BASELINE) ?? []);
  console.log(`Medians of ${ROUNDS} rounds, in milliseconds:`);
  console.log(`${'command'.padEnd(32)}${'total'.padStart(8)}${'above node'.padStart(12)}`);
  let isWithinLimit = true;
  for (const [{ name, isHostler }, timesMs] of times) {
    const aboveMs = median(timesMs) - baselineMs;
    if (isHostler && aboveMs > LIMIT_MS) isWithinLimit = false;
    const above = isHostler ? aboveMs.toFixed(1) : '';
    console.log(`${name.padEnd(32)}${median(timesMs).toFixed(1).padStart(8)}${above.padStart(12)}`);
  }
  console.log(`The limit of ${LIMIT_MS} ms above a bare Node was ${isWithinLimit ? 'met' : 'missed'}.`);
  return isWithinLimit;
}

if (findClientBundle(root) === undefined)
  console.log(
    'There is no bundle of these sources (create it with node tools/build/cli.js), so this measures the sources.',
  );

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-bench-cli-'));
const settings = {
  HOSTLER_LISTEN: '127.0.0.1:0',
  HOSTLER_DATA: folder,
  HOSTLER_ADMIN_PASSWORD: PASSWORD,
  HOSTLER_TRANSPORT: 'none',
};
const service = await ServerProcess.start(['bin/hostler.js', 'serve'], settings, path.join(folder, 'log'));
try {
  await enrol(service.url);
  const env = { ...process.env, HOME: folder, HOSTLER_URL: service.url, HOSTLER_PASSWORD: PASSWORD };
  const otherCommands = OTHER_COMMANDS.filter(
    ({ command: [program, ...args] }) => spawnSync(program, args).status === 0,
  );
  const commands = [BASELINE, hostler('--help'), hostler('host', 'show', ADDRESS), ...otherCommands];
  const times = new Map(commands.map(command => [command, [] as number[]]));
  // The first run of each command is the warm-up.
  for (const command of commands) measureMs(command, env);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [command, each] of times) each.push(measureMs(command, env));
  if (!report(times)) process.exitCode = 1;
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
