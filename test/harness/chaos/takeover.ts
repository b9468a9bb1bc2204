import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from '../programs/server-process.ts';
import { waitUntil } from '../wait-until.ts';
import type { ChaosEnvironment } from './chaos-environment.ts';

/** By then PostgreSQL and the hosts have received everything that a frozen server sent. */
const SETTLE_MS = 200;
const STEP_TIMEOUT_MS = 60_000;
/** Added to the lease. */
const GRACE_MS = 2000;
/** A takeover costs about this many queries, one after the other. */
const QUERIES_PER_TAKEOVER = 10;
const POLL_INTERVAL_MS = 100;

/** Time from the kill until each host of the killed server received its next command. */
export interface Takeover {
  readonly isDetected: boolean;
  /** One lease, two seconds, and the time of the queries on this machine. */
  readonly limitMs: number;
  readonly waitedMs: readonly number[];
  /** Hosts without a command in time. */
  readonly notResumed: readonly string[];
}

interface Claim {
  readonly host: string;
  /** Incarnation of the server. */
  readonly owner: string;
}

interface TakeoverState {
  readonly isDetected: boolean;
  /** Time of the next command by host. Hosts without remaining tasks are omitted. */
  readonly nextAtMs: ReadonlyMap<string, number | undefined>;
}

const readClaims = (environment: ChaosEnvironment) =>
  environment.query<Claim>(
    'select host, owner from host_queue where owner is not null and host in (select host from tasks)',
  );

/** The claims of a frozen server: those that remain, for hosts to which it has an open connection. */
async function readClaimsOf(environment: ChaosEnvironment, server: ServerProcess): Promise<readonly Claim[]> {
  const before = await readClaims(environment);
  await delay(SETTLE_MS);
  const after = await readClaims(environment);
  const connected = server.connectedHosts;
  return after.filter(
    ({ host, owner }) => connected.includes(host) && before.some(claim => claim.host === host && claim.owner === owner),
  );
}

type FindServer = () => Promise<ServerProcess>;

/** Kills a server while it runs steps on hosts. Returns its claims for these hosts. */
async function killWhileBusy(environment: ChaosEnvironment, findServer: FindServer) {
  const { server, claims } = await waitUntil(
    'a server runs a step',
    async () => {
      // Other servers take the hosts of a server that is frozen repeatedly.
      const candidate = await findServer();
      await candidate.inject('freeze_server');
      const found = await readClaimsOf(environment, candidate);
      if (found.length > 0) return { server: candidate, claims: found };
      await candidate.revert('freeze_server');
      return undefined;
    },
    STEP_TIMEOUT_MS,
  );
  await server.inject('kill_server');
  await server.revert('freeze_server');
  return { server, claims };
}

async function readState(
  environment: ChaosEnvironment,
  claims: readonly Claim[],
  afterMs: number,
): Promise<TakeoverState> {
  const alive = await environment.query<{ incarnation: string }>('select incarnation from servers');
  const unfinished = await environment.query<{ host: string }>('select distinct host from tasks');
  const commands = environment.fleet.commands.filter(({ atMs }) => atMs > afterMs);
  const waits = claims
    .map(({ host }) => [host, commands.find(({ address }) => address === host)?.atMs] as const)
    .filter(([host, atMs]) => atMs !== undefined || unfinished.some(task => task.host === host));
  const isDetected = claims.every(({ owner }) => alive.every(({ incarnation }) => incarnation !== owner));
  return { isDetected, nextAtMs: new Map(waits) };
}

const isComplete = ({ isDetected, nextAtMs }: TakeoverState) =>
  isDetected && [...nextAtMs.values()].every(atMs => atMs !== undefined);

/** Kills a busy server and polls until other servers have resumed its hosts, or the limit is reached. */
export async function killAndMeasure(
  environment: ChaosEnvironment,
  findServer: FindServer,
): Promise<{ readonly takeover: Takeover; readonly server: ServerProcess }> {
  const { server, claims } = await killWhileBusy(environment, findServer);
  const killedAtMs = performance.now();
  const queryTimesMs: number[] = [];
  for (;;) {
    const startedMs = performance.now();
    const state = await readState(environment, claims, killedAtMs);
    queryTimesMs.push(performance.now() - startedMs);
    const queryMs = queryTimesMs.toSorted((a, b) => a - b)[Math.floor(queryTimesMs.length / 2)] ?? 0;
    const limitMs = environment.leaseMs + GRACE_MS + QUERIES_PER_TAKEOVER * queryMs;
    if (isComplete(state) || performance.now() > killedAtMs + limitMs)
      return { takeover: toTakeover(state, killedAtMs, limitMs), server };
    await delay(POLL_INTERVAL_MS);
  }
}

function toTakeover({ isDetected, nextAtMs }: TakeoverState, killedAtMs: number, limitMs: number): Takeover {
  const waits = [...nextAtMs].map(([host, atMs = Number.POSITIVE_INFINITY]) => [host, atMs - killedAtMs] as const);
  return {
    isDetected,
    limitMs,
    waitedMs: waits.map(([, waitedMs]) => waitedMs).filter(Number.isFinite),
    notResumed: waits.filter(([, waitedMs]) => waitedMs > limitMs).map(([host]) => host),
  };
}

export const checkTakeover = ({ isDetected, limitMs, waitedMs, notResumed }: Takeover): readonly string[] => [
  ...(waitedMs.length + notResumed.length > 0 ? [] : ['the killed server had no hosts']),
  ...(isDetected ? [] : [`no server detected the killed server within ${limitMs.toFixed(0)} ms`]),
  ...notResumed.map(host => `${host} was not resumed within ${limitMs.toFixed(0)} ms after its server was killed`),
];
