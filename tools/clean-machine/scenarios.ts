import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { quickstartOptions } from '../../test/harness/documents/quickstart.ts';
import type { DocumentOptions } from '../../test/harness/documents/run-document.ts';
import { runDocument } from '../../test/harness/documents/run-document.ts';
import { freePort } from '../../test/harness/http/sockets.ts';
import { getMachineEnvironment, runOnMachine, toMachineCommand } from './machine.ts';

const MINUTE_MS = 60_000;
const START_LIMIT_MS = 10 * MINUTE_MS;
/** Includes the installation of packages. The tests alone take about six minutes on two cores. */
const TEST_LIMIT_MS = 15 * MINUTE_MS;
const CHECKOUT = 'root/hostler';
const BRIDGE = '/sys/class/net/hostler-lab';

/** Gets the root of a new machine. Returns a summary, or throws on failure. */
export type Scenario = (root: string) => Promise<string>;

const start: Scenario = async root => {
  const code = await runOnMachine(root, ['tools/clean-machine/start.sh'], START_LIMIT_MS);
  if (code !== 0) throw new Error(`npm start failed to start, rejected the login, or did not stop cleanly: ${code}`);
  return 'npm start runs, accepts the printed password, and stops';
};

/** Runs the commands of a document and returns the number of blocks. */
async function runDocumentCommands(
  root: string,
  document: string,
  options: DocumentOptions = {},
  password = '',
): Promise<number> {
  let blocks = 0;
  const environment = { ...getMachineEnvironment(), ...(password && { HOSTLER_ADMIN_PASSWORD: password }) };
  const terminal = { shell: toMachineCommand(root, ['bash']), cwd: '/', environment };
  await runDocument(
    document,
    { terminal },
    {
      ...options,
      checkout: path.join(root, CHECKOUT),
      deadlineMs: START_LIMIT_MS,
      onBlock: ({ line, text }, tookMs) => {
        blocks++;
        console.log(`  line ${line}, ${(tookMs / 1000).toFixed(1)} s: ${text.split('\n').at(-1)}`);
      },
    },
  );
  return blocks;
}

/** The programs that the quickstart lists as requirements. */
const INSTALL_REQUIREMENTS = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends curl openssh-server';

const quickstart: Scenario = async root => {
  const [listen, sshPort] = [`127.0.0.1:${await freePort()}`, await freePort()];
  const password = 'quickstart password';
  const options = { ...quickstartOptions({ listen, sshPort, password }), setup: INSTALL_REQUIREMENTS };
  const blocks = await runDocumentCommands(root, 'docs/getting-started/quickstart.md', options, password);
  return `the commands of the quickstart print the documented output, in ${blocks} blocks`;
};

const tutorial: Scenario = async root => {
  if (existsSync(BRIDGE)) throw new Error(`${BRIDGE} exists: the tutorial is running on this machine`);
  try {
    const blocks = await runDocumentCommands(root, 'docs/getting-started/tutorial.md');
    return `the commands of the tutorial print the documented output, in ${blocks} blocks`;
  } finally {
    // The bridge belongs to this machine and outlives an interrupted tutorial.
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

/** In execution order. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = { start, quickstart, tutorial, test };
