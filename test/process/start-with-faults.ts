// Starts the server repeatedly. In the nth start, the store and the password hasher fail from the nth call
// on, until a start succeeds. Then other components fail, one per start. Prints a line of JSON per start, and
// exits if nothing is left running.
//
//     node start-with-faults.ts <sqlite or the URL of a PostgreSQL database> <before|after> <folder>

import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailableError } from '../../src/domain/errors.ts';
import { errorMessage } from '../../src/lib/errors.ts';
import { createLog } from '../../src/lib/log.ts';
import { loadConfig } from '../../src/server/configuration/config.ts';
import type { ServiceOverrides } from '../../src/server/start-service.ts';
import { startService } from '../../src/server/start-service.ts';
import { openStore } from '../../src/server/wiring/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { FAST_HASHER } from '../harness/credentials.ts';
import { interceptCalls } from '../harness/simulation/intercept-calls.ts';

export interface StartReport {
  /** Number of the failing call, or a component. */
  readonly fails: number | string;
  /** `null`: the start succeeded. */
  readonly error: string | null;
  readonly isStoreClosed: boolean;
  readonly callsAfterClose: number;
  /** Open timers, sockets and requests by kind. */
  readonly open: readonly string[];
}

const [location = '', when = '', folder = ''] = process.argv.slice(2);
const log = createLog('silent', false);

const configWith = (settings: Readonly<Record<string, string>>) =>
  loadConfig({
    environment: {
      HOSTLER_LISTEN: '127.0.0.1:0',
      HOSTLER_DATA: folder,
      ...(location !== 'sqlite' && {
        HOSTLER_STORE: location,
        HOSTLER_SECRET_KEY: Buffer.alloc(32).toString('base64'),
      }),
      ...settings,
    },
    flags: {},
  });

/** Stdout may be a pipe. */
const openResources = () => process.getActiveResourcesInfo().filter(kind => kind !== 'PipeWrap');

interface Failure {
  readonly fails: number | string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly overrides?: ServiceOverrides;
}

/** All calls after the failing call fail as well, as with an unavailable store. */
async function start({ fails, settings = {}, overrides = {} }: Failure): Promise<StartReport> {
  let calls = 0;
  let isStoreClosed = false;
  let callsAfterClose = 0;
  const intercept = async <A>(run: () => Promise<A>): Promise<A> => {
    calls += 1;
    if (isStoreClosed) callsAfterClose += 1;
    const isFailing = typeof fails === 'number' && calls >= fails;
    if (isFailing && when === 'before') throw new StoreUnavailableError(new Error(`call ${fails}`));
    const result = await run();
    if (isFailing) throw new StoreUnavailableError(new Error(`call ${fails}`));
    return result;
  };
  const wrap = (store: Store): Store => ({
    ...store,
    reads: interceptCalls(store.reads, intercept),
    transaction: run => intercept(() => store.transaction(run)),
    snapshot: run => intercept(() => store.snapshot(run)),
    close: async () => {
      isStoreClosed = true;
      await store.close();
    },
  });
  let error: string | null = null;
  try {
    const service = await startService(configWith(settings), log, {
      hasher: interceptCalls(FAST_HASHER.hasher, intercept),
      openStore: async (...args) => wrap(await openStore(...args)),
      ...overrides,
    });
    await service.stop();
  } catch (thrown) {
    error = thrown instanceof StoreUnavailableError ? errorMessage(thrown.cause) : errorMessage(thrown);
  }
  // Sockets close asynchronously, and the PostgreSQL client keeps timers for some seconds.
  for (let waitedMs = 0; waitedMs < 15_000 && openResources().length > 0; waitedMs += 10) await delay(10);
  return { fails, error, isStoreClosed, callsAfterClose, open: openResources() };
}

async function report(failure: Failure): Promise<StartReport> {
  const reported = await start(failure);
  process.stdout.write(`${JSON.stringify(reported)}\n`);
  return reported;
}

for (let call = 1; (await report({ fails: call })).error !== null; call += 1);
await report({ fails: 'dashboard', overrides: { dashboardFolder: process.execPath } });
await report({
  fails: 'listen',
  settings: { HOSTLER_LISTEN: 'unknown.invalid:80', HOSTLER_ALLOW_PLAIN_HTTP: 'true' },
});
await report({
  fails: 'certificate',
  settings: { HOSTLER_TLS_CERT: '/nowhere', HOSTLER_TLS_KEY: '/nowhere' },
});
await report({ fails: 'transport', settings: { HOSTLER_OPENSSH_CONFIG: '/nowhere' } });
