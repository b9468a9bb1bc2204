// npm run bench:cli — how quickly a command is there.
//
// Each round starts a bare Node, `hostler --help` and a simple GET, `hostler host show`, against a running service, one after the other,
// and other command lines where they are installed. The limit is that of a command above the bare Node, by the medians of all rounds.
//
//   npm run bench:cli              30 rounds
//   npm run bench:cli -- --quick   5

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundledClient } from '../bin/client-bundle.js';
import { PRIVATE_KEY } from '../test/harness/keys.ts';
import { median } from './median.ts';
import { Program } from './program.ts';

const ROUNDS = process.argv.includes('--quick') ? 5 : 30;
const LIMIT_MS = 100;
const PASSWORD = 'bench';
const ADDRESS = '127.66.0.1';

const root = path.resolve(import.meta.dirname, '..');

interface Entrant {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** It has to be as quick as that. */
  readonly isOurs?: true;
}

const hostler = (...args: string[]): Entrant => ({
  name: `hostler ${args.join(' ')}`,
  command: [process.execPath, path.join(root, 'bin/hostler.js'), ...args],
  isOurs: true,
});

const FLOOR: Entrant = { name: 'node -e 0', command: [process.execPath, '-e', '0'] };

const PEERS: readonly Entrant[] = [
  { name: 'docker --version', command: ['docker', '--version'] },
  { name: 'ansible --version', command: ['ansible', '--version'] },
];

/** In milliseconds; throws when it fails, since that may be quick. */
function timeOf({ name, command: [program, ...args] }: Entrant, env: NodeJS.ProcessEnv): number {
  const begunMs = performance.now();
  const { status, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
  const tookMs = performance.now() - begunMs;
  if (status !== 0) throw new Error(`${name} exited with ${status}: ${stderr}`);
  return tookMs;
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

function report(times: ReadonlyMap<Entrant, readonly number[]>): boolean {
  const floorMs = median(times.get(FLOOR) ?? []);
  console.log(`Medians of ${ROUNDS} rounds, in milliseconds:`);
  console.log(`${'command'.padEnd(32)}${'whole'.padStart(8)}${'above node'.padStart(12)}`);
  let isKept = true;
  for (const [{ name, isOurs }, each] of times) {
    const aboveMs = median(each) - floorMs;
    if (isOurs && aboveMs > LIMIT_MS) isKept = false;
    const above = isOurs ? aboveMs.toFixed(1) : '';
    console.log(`${name.padEnd(32)}${median(each).toFixed(1).padStart(8)}${above.padStart(12)}`);
  }
  console.log(`The limit of ${LIMIT_MS} ms above a bare Node was ${isKept ? 'met' : 'missed'}.`);
  return isKept;
}

if (bundledClient(root) === undefined)
  console.log(
    'There is no bundle of these sources (create it with node tools/build/client.js), so this measures the sources.',
  );

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-bench-cli-'));
const settings = {
  HOSTLER_LISTEN: '127.0.0.1:0',
  HOSTLER_DATA: folder,
  HOSTLER_ADMIN_PASSWORD: PASSWORD,
  HOSTLER_TRANSPORT: 'none',
};
const service = await Program.start(['bin/hostler.js', 'serve'], settings, path.join(folder, 'log'));
try {
  await enrol(service.url);
  const env = { ...process.env, HOME: folder, HOSTLER_URL: service.url, HOSTLER_PASSWORD: PASSWORD };
  const peers = PEERS.filter(({ command: [program, ...args] }) => spawnSync(program, args).status === 0);
  const entrants = [FLOOR, hostler('--help'), hostler('host', 'show', ADDRESS), ...peers];
  const times = new Map(entrants.map(entrant => [entrant, [] as number[]]));
  // The first of each is warming up.
  for (const entrant of entrants) timeOf(entrant, env);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [entrant, each] of times) each.push(timeOf(entrant, env));
  if (!report(times)) process.exitCode = 1;
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
