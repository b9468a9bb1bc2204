// A checkout with links to this one, a home folder, and `hostler` on the PATH. `remove` deletes all of it.

import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SimulatedFleet } from '../../../src/simulator/simulated-fleet.ts';
import type { SimulatedHostSpec } from '../../../src/simulator/simulation-context.ts';
import { ADMIN_PASSWORD } from '../credentials.ts';
import { freePort } from '../http/sockets.ts';
import { installHostlerScript, PROJECT } from '../programs/process.ts';
import type { TestService } from '../service.ts';
import { startTestService } from '../service.ts';
import { addHosts, createFleet } from '../simulated-fleet.ts';
import { findBlock } from './run-document.ts';
import type { SessionOptions } from './shell-session.ts';
import { ShellSession } from './shell-session.ts';

/** Entries that a clone does not contain. */
const UNLINKED_ENTRIES = new Set(['.git', '.cache', 'data']);

export interface DocSandbox {
  readonly checkout: string;
  /** Adds a replacement for a program that tests cannot install. */
  addProgram(name: string, script: string): void;
  /** Shared by all shells. */
  readonly terminal: SessionOptions;
  remove(): void;
}

export async function createDocSandbox(environment: Readonly<Record<string, string>> = {}): Promise<DocSandbox> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostler-reader-'));
  const createFolder = (name: string) => {
    const created = path.join(folder, name);
    mkdirSync(created);
    return created;
  };
  const [checkout, home, programs] = [createFolder('hostler'), createFolder('home'), createFolder('bin')];
  for (const name of readdirSync(PROJECT))
    if (!UNLINKED_ENTRIES.has(name)) symlinkSync(path.join(PROJECT, name), path.join(checkout, name));
  return {
    checkout,
    addProgram: (name, script) => writeFileSync(path.join(programs, name), script, { mode: 0o755 }),
    terminal: {
      cwd: checkout,
      environment: {
        PATH: `${installHostlerScript(programs)}:${process.env['PATH']}:/usr/sbin`,
        HOME: home,
        TERM: 'dumb',
        LC_ALL: 'C.UTF-8',
        NODE_COMPILE_CACHE: path.join(PROJECT, 'node_modules/.cache/compiled'),
        npm_config_update_notifier: 'false',
        ...environment,
      },
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The block of the quickstart that defines `api` and `URL`, with the URL and password of a test server. */
const quickstartSetupFor = (url: string, password: string): string =>
  findBlock('docs/getting-started/quickstart.md', 'api()')
    .replace('http://127.0.0.1:8000', url)
    .replace("'…'", `'${password}'`);

// A sandbox with a server started by `npm start`.

const DEADLINE_MS = 60_000;

export const SANDBOX_PASSWORD = 'printed at the first start';

export interface ServerSandbox {
  readonly sandbox: DocSandbox;
  readonly url: string;
  /** The `api` function and `URL` of the quickstart. */
  readonly quickstartSetup: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops the server and removes the sandbox. */
  remove(): Promise<void>;
}

/** Does not start the server. */
export async function createServerSandbox(): Promise<ServerSandbox> {
  const listen = `127.0.0.1:${await freePort()}`;
  const url = `http://${listen}`;
  const sandbox = await createDocSandbox({
    HOSTLER_ADMIN_PASSWORD: SANDBOX_PASSWORD,
    HOSTLER_URL: url,
    HOSTLER_PASSWORD: SANDBOX_PASSWORD,
  });
  let session: ShellSession | undefined;
  const stop = async () => {
    await session?.stop(DEADLINE_MS);
    session = undefined;
  };
  return {
    sandbox,
    url,
    quickstartSetup: quickstartSetupFor(url, SANDBOX_PASSWORD),
    start: async () => {
      session = new ShellSession(sandbox.terminal);
      session.start(`npm start -- --listen ${listen}`);
      await session.waitForOutput(/API +http/, DEADLINE_MS);
    },
    stop,
    remove: async () => {
      await stop();
      sandbox.remove();
    },
  };
}

// A sandbox with a running server in this process and simulated hosts, for documents about requests.

export interface SimulatedSandbox {
  readonly service: TestService;
  readonly fleet: SimulatedFleet;
  readonly sandbox: DocSandbox;
  /** The `api` function and `URL` of the quickstart. */
  readonly quickstartSetup: string;
  stop(): Promise<void>;
}

interface SimulatedSandboxOptions {
  /** Simulated hosts that are not enrolled. */
  readonly hosts?: Readonly<Record<string, Partial<SimulatedHostSpec>>>;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function createSimulatedSandbox({
  hosts = {},
  settings = {},
}: SimulatedSandboxOptions = {}): Promise<SimulatedSandbox> {
  const fleet = createFleet();
  for (const [address, spec] of Object.entries(hosts)) addHosts(fleet, [address], spec);
  const service = await startTestService('sqlite', settings, { transport: fleet.transport });
  const sandbox = await createDocSandbox({ HOSTLER_URL: service.url, HOSTLER_PASSWORD: ADMIN_PASSWORD });
  return {
    service,
    fleet,
    sandbox,
    quickstartSetup: quickstartSetupFor(service.url, ADMIN_PASSWORD),
    stop: async () => {
      sandbox.remove();
      await service.stop();
    },
  };
}
