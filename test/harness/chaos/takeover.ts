import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from '../workload/server-process.ts';
import type { ChaosEnvironment } from './chaos-environment.ts';

/** By then PostgreSQL has received everything that the killed server sent. */
const SETTLE_MS = 200;
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

interface TakeoverState {
  readonly isDetected: boolean;
  /** Time of the next command by host. Hosts without remaining tasks are omitted. */
  readonly nextAtMs: ReadonlyMap<string, number | undefined>;
}

interface Claims {
  readonly servers: readonly string[];
  readonly claims: readonly { readonly host: string; readonly owner: string }[];
}

const listServers = async (environment: ChaosEnvironment) =>
  (await environment.query<{ incarnation: string }>('select incarnation from servers')).map(row => row.incarnation);

async function readState(
  environment: ChaosEnvironment,
  { servers, claims }: Claims,
  afterMs: number,
): Promise<TakeoverState> {
  const alive = await listServers(environment);
  const isDead = (server: string) => !alive.includes(server);
  const unfinished = await environment.query<{ host: string }>('select distinct host from tasks');
  const commands = environment.fleet.commands.filter(({ atMs }) => atMs > afterMs);
  const waits = claims
    .filter(({ owner }) => isDead(owner))
    .map(({ host }) => [host, commands.find(({ address }) => address === host)?.atMs] as const)
    // If the server was killed right before saving its last step, the host needs no further command.
    .filter(([host, atMs]) => atMs !== undefined || unfinished.some(task => task.host === host));
  return { isDetected: servers.some(isDead), nextAtMs: new Map(waits) };
}

const isComplete = ({ isDetected, nextAtMs }: TakeoverState) =>
  isDetected && [...nextAtMs.values()].every(atMs => atMs !== undefined);

/**
 * Kills a server with SIGKILL and polls until other servers have resumed its hosts, or the limit is reached.
 */
export async function killAndMeasure(environment: ChaosEnvironment, server: ServerProcess): Promise<Takeover> {
  await server.inject('kill_server');
  const killedAtMs = performance.now();
  await delay(SETTLE_MS);
  const afterMs = performance.now();
  const claims = await environment.query<{ host: string; owner: string }>(
    'select host, owner from host_queue where owner is not null',
  );
  const before = { servers: await listServers(environment), claims };
  const queryTimesMs: number[] = [];
  for (;;) {
    const startedMs = performance.now();
    const state = await readState(environment, before, afterMs);
    queryTimesMs.push(performance.now() - startedMs);
    const queryMs = queryTimesMs.toSorted((a, b) => a - b)[Math.floor(queryTimesMs.length / 2)] ?? 0;
    const limitMs = environment.leaseMs + GRACE_MS + QUERIES_PER_TAKEOVER * queryMs;
    if (isComplete(state) || performance.now() > killedAtMs + limitMs) return toTakeover(state, killedAtMs, limitMs);
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

export const checkTakeover = ({ isDetected, limitMs, notResumed }: Takeover): readonly string[] => [
  ...(isDetected ? [] : [`no server detected the killed server within ${limitMs.toFixed(0)} ms`]),
  ...notResumed.map(host => `${host} was not resumed within ${limitMs.toFixed(0)} ms after its server was killed`),
];
