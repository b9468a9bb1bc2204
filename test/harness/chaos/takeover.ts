import { setTimeout as delay } from 'node:timers/promises';
import type { ChaosServer } from './chaos-server.ts';
import type { Stage } from './stage.ts';

/** What a server had sent is with PostgreSQL by then. */
const SETTLED_MS = 200;
/** Beyond the lease. */
const GRACE_MS = 2000;
/** A server that takes over asks PostgreSQL and the host so many times as much as a look does, one thing after the other. */
const QUESTIONS = 10;
const LOOK_EVERY_MS = 100;

/** How long each host of a server waited for the next command, after the server was killed. */
export interface Takeover {
  readonly isNoticed: boolean;
  /** One lease and two seconds, and what the questions take on a machine that has too much to do. */
  readonly limitMs: number;
  readonly waitedMs: readonly number[];
  /** Hosts that were not gone on with in time. */
  readonly left: readonly string[];
}

/** What was seen of a server that was killed, some time after. */
interface Aftermath {
  readonly isNoticed: boolean;
  /** For each host that it was at, when it was sent the next command, if it was; hosts that need no more are left out. */
  readonly nextAtMs: ReadonlyMap<string, number | undefined>;
}

interface Claims {
  readonly servers: readonly string[];
  readonly claims: readonly { readonly host: string; readonly owner: string }[];
}

const serversOf = async (stage: Stage) =>
  (await stage.query<{ incarnation: string }>('select incarnation from servers')).map(row => row.incarnation);

async function look(stage: Stage, { servers, claims }: Claims, afterMs: number): Promise<Aftermath> {
  const alive = await serversOf(stage);
  const isDead = (server: string) => !alive.includes(server);
  const unfinished = await stage.query<{ host: string }>('select distinct host from tasks');
  const visits = stage.fleet.visits.filter(({ atMs }) => atMs > afterMs);
  const waits = claims
    .filter(({ owner }) => isDead(owner))
    .map(({ host }) => [host, visits.find(({ address }) => address === host)?.atMs] as const)
    // Where it was killed right before the last step was saved, nothing is left to be asked of the host.
    .filter(([host, atMs]) => atMs !== undefined || unfinished.some(work => work.host === host));
  return { isNoticed: servers.some(isDead), nextAtMs: new Map(waits) };
}

const isOver = ({ isNoticed, nextAtMs }: Aftermath) =>
  isNoticed && [...nextAtMs.values()].every(atMs => atMs !== undefined);

/** Kills a server by `kill -9`, and watches until others have gone on with all hosts that it was at, or should have. */
export async function killAndWatch(stage: Stage, server: ChaosServer): Promise<Takeover> {
  await server.end('SIGKILL');
  const killedAtMs = performance.now();
  await delay(SETTLED_MS);
  const afterMs = performance.now();
  const claims = await stage.query<{ host: string; owner: string }>(
    'select host, owner from host_queue where owner is not null',
  );
  const before = { servers: await serversOf(stage), claims };
  const tookMs: number[] = [];
  for (;;) {
    const beganMs = performance.now();
    const seen = await look(stage, before, afterMs);
    tookMs.push(performance.now() - beganMs);
    const questionMs = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length / 2)] ?? 0;
    const limitMs = stage.leaseMs + GRACE_MS + QUESTIONS * questionMs;
    if (isOver(seen) || performance.now() > killedAtMs + limitMs)
      return takeoverOf(seen, killedAtMs, limitMs);
    await delay(LOOK_EVERY_MS);
  }
}

function takeoverOf({ isNoticed, nextAtMs }: Aftermath, killedAtMs: number, limitMs: number): Takeover {
  const waits = [...nextAtMs].map(
    ([host, atMs = Number.POSITIVE_INFINITY]) => [host, atMs - killedAtMs] as const,
  );
  return {
    isNoticed,
    limitMs,
    waitedMs: waits.map(([, waitedMs]) => waitedMs).filter(Number.isFinite),
    left: waits.filter(([, waitedMs]) => waitedMs > limitMs).map(([host]) => host),
  };
}

export const takeoverProblems = ({ isNoticed, limitMs, left }: Takeover): readonly string[] => [
  ...(isNoticed ? [] : [`nobody noticed within ${limitMs.toFixed(0)} ms that a server was killed`]),
  ...left.map(
    host => `${host} was not gone on with within ${limitMs.toFixed(0)} ms after its server was killed`,
  ),
];
