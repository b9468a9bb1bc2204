// Starts the service again and again. Its store and its hasher fail at the first call of the first start, at the second call of the second one,
// and so on, until a start succeeds. Then its other parts fail, one in each start. Prints one line of JSON for each start, and ends by itself if
// nothing was left running.
//
//   node fail-starts.ts <sqlite or the URL of a PostgreSQL database> <before|after> <folder>

import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailableError } from '../../../src/domain/errors.ts';
import { errorMessage } from '../../../src/lib/errors.ts';
import { createLog } from '../../../src/lib/log.ts';
import { loadConfig } from '../../../src/server/configuration/config.ts';
import type { ServiceOverrides } from '../../../src/server/start-service.ts';
import { startService } from '../../../src/server/start-service.ts';
import { openStore } from '../../../src/server/wiring/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { QUICK_HASHER } from '../quick-hasher.ts';
import { aroundCalls } from '../simulation/around-calls.ts';

/** What one start leaves behind. */
export interface StartReport {
  /** What fails: the number of a call, or a part. */
  readonly fails: number | string;
  /** `null`: the start succeeded. */
  readonly error: string | null;
  readonly isStoreClosed: boolean;
  readonly callsAfterClose: number;
  /** Timers, sockets and requests that are still open, by kind. */
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

/** Standard output may be a pipe. */
const openResources = () => process.getActiveResourcesInfo().filter(kind => kind !== 'PipeWrap');

interface Failure {
  readonly fails: number | string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly overrides?: ServiceOverrides;
}

/** A call that fails is followed by failing ones: the store stays away. */
async function start({ fails, settings = {}, overrides = {} }: Failure): Promise<StartReport> {
  let calls = 0;
  let isStoreClosed = false;
  let callsAfterClose = 0;
  const around = async <A>(run: () => Promise<A>): Promise<A> => {
    calls += 1;
    if (isStoreClosed) callsAfterClose += 1;
    const isFailing = typeof fails === 'number' && calls >= fails;
    if (isFailing && when === 'before') throw new StoreUnavailableError(new Error(`call ${fails}`));
    const answer = await run();
    if (isFailing) throw new StoreUnavailableError(new Error(`call ${fails}`));
    return answer;
  };
  const wrap = (store: Store): Store => ({
    ...store,
    reads: aroundCalls(store.reads, around),
    transaction: work => around(() => store.transaction(work)),
    snapshot: work => around(() => store.snapshot(work)),
    close: async () => {
      isStoreClosed = true;
      await store.close();
    },
  });
  let error: string | null = null;
  try {
    const service = await startService(configWith(settings), log, {
      hasher: aroundCalls(QUICK_HASHER.hasher, around),
      openStore: async (...args) => wrap(await openStore(...args)),
      ...overrides,
    });
    await service.stop();
  } catch (thrown) {
    error = thrown instanceof StoreUnavailableError ? errorMessage(thrown.cause) : errorMessage(thrown);
  }
  // Sockets are closed a moment later, and the client library of PostgreSQL keeps timers for some seconds.
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
