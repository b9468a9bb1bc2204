import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Reading } from '../../test/harness/documents/read-through.ts';
import { readThrough } from '../../test/harness/documents/read-through.ts';
import { quickstartReading } from '../../test/harness/documents/readme-tour.ts';
import { freePort } from '../../test/harness/ssh/sshd.ts';
import { getMachineEnvironment, runOnMachine, toMachineCommand } from './machine.ts';

const MINUTE_MS = 60_000;
const START_LIMIT_MS = 10 * MINUTE_MS;
/** What is promised of a machine on which nothing is installed yet. */
const TEST_LIMIT_MS = 30 * MINUTE_MS;
const CHECKOUT = 'root/hostler';
const BRIDGE = '/sys/class/net/hostler-lab';

/** Given the root of a machine that nobody has used yet; answers what there is to tell, and throws when something is wrong. */
export type Scenario = (root: string) => Promise<string>;

const start: Scenario = async root => {
  const code = await runOnMachine(root, ['tools/clean-machine/start.sh'], START_LIMIT_MS);
  if (code !== 0)
    throw new Error(`npm start failed to start, rejected the login, or did not stop cleanly: ${code}`);
  return 'npm start runs, accepts the printed password, and stops';
};

/** Types the commands of a document there; answers how many blocks there were. */
async function runDocumentCommands(
  root: string,
  document: string,
  options: Reading = {},
  password = '',
): Promise<number> {
  let blocks = 0;
  const environment = { ...getMachineEnvironment(), ...(password && { HOSTLER_ADMIN_PASSWORD: password }) };
  const terminal = { shell: toMachineCommand(root, ['bash']), cwd: '/', environment };
  await readThrough(
    document,
    { terminal },
    {
      ...options,
      checkout: path.join(root, CHECKOUT),
      deadlineMs: START_LIMIT_MS,
      onTyped: ({ line, text }, tookMs) => {
        blocks++;
        console.log(`  line ${line}, ${(tookMs / 1000).toFixed(1)} s: ${text.split('\n').at(-1)}`);
      },
    },
  );
  return blocks;
}

/** The programs that the quickstart lists as requirements. */
const INSTALL_REQUIREMENTS =
  'apt-get update -qq && apt-get install -y -qq --no-install-recommends curl openssh-server';

const quickstart: Scenario = async root => {
  const [listen, sshPort] = [`127.0.0.1:${await freePort()}`, await freePort()];
  const password = 'told at the start';
  const options = { ...quickstartReading({ listen, sshPort, password }), typedBefore: INSTALL_REQUIREMENTS };
  const blocks = await runDocumentCommands(root, 'docs/getting-started/quickstart.md', options, password);
  return `the commands of the quickstart print the documented output, in ${blocks} blocks`;
};

const tutorial: Scenario = async root => {
  if (existsSync(BRIDGE)) throw new Error(`${BRIDGE} exists: the tutorial is running on this machine`);
  try {
    const blocks = await runDocumentCommands(root, 'docs/getting-started/tutorial.md');
    return `the commands of the tutorial print the documented output, in ${blocks} blocks`;
  } finally {
    // The bridge is the machine's own, and outlives a tutorial that was broken off.
    if (existsSync(BRIDGE)) await runOnMachine(root, ['contrib/tutorial/hosts.sh', 'down'], START_LIMIT_MS);
  }
};

const test: Scenario = async root => {
  const startedMs = performance.now();
  const code = await runOnMachine(root, ['npm', 'test'], 2 * TEST_LIMIT_MS);
  const elapsedMs = performance.now() - startedMs;
  const file = path.join(root, CHECKOUT, '.cache/test-counts');
  const counts = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'no counts';
  if (code !== 0) throw new Error(`npm test exited with ${code}: ${counts}`);
  if (!counts.endsWith(', 0 skipped')) throw new Error(`tests were skipped: ${counts}`);
  const duration = `${(elapsedMs / MINUTE_MS).toFixed(1)} minutes`;
  if (elapsedMs > TEST_LIMIT_MS) throw new Error(`npm test took ${duration}: ${counts}`);
  return `npm test, in ${duration}: ${counts}`;
};

/** In the order in which they are run. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = { start, quickstart, tutorial, test };
