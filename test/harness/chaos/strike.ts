import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../until.ts';
import type { ChaosServer } from './chaos-server.ts';
import type { FaultKind, PlannedFault } from './plan.ts';
import type { Stage } from './stage.ts';
import type { Takeover } from './takeover.ts';
import { killAndWatch } from './takeover.ts';

/** Connections at once; a look lasts some hundredths of a second. */
const BUSY = 3;
const BUSY_WITHIN_MS = 5000;

interface Blow {
  begin(): unknown;
  end(): unknown;
}

const restart = (stage: Stage, how: 'fast' | 'immediate'): Blow => ({
  begin: () => stage.postgres.halt(how),
  end: () => stage.postgres.resume(),
});

const dying = (server: ChaosServer, signal: 'SIGKILL' | 'SIGTERM'): Blow => ({
  begin: () => server.end(signal),
  end: () => server.start(),
});

function ofServer(kind: FaultKind, { fleet: { ways } }: Stage, server: ChaosServer): Blow | undefined {
  const { database, source } = server;
  const mendHosts = () => ways.mend(source);
  const blows: Partial<Record<FaultKind, Blow>> = {
    kill: dying(server, 'SIGKILL'),
    leave: dying(server, 'SIGTERM'),
    freeze: { begin: () => server.freeze(), end: () => server.wake() },
    cut_database: { begin: () => database.cut(), end: () => database.mend() },
    clog_database: { begin: () => database.freeze('all'), end: () => database.thaw() },
    cut_hosts: { begin: () => ways.cut(source), end: mendHosts },
    clog_hosts: { begin: () => ways.clog(source), end: mendHosts },
  };
  return blows[kind];
}

/** The server with most connections to hosts, when it is in the middle of several. */
export async function busiestOf({ servers, fleet: { ways } }: Stage): Promise<ChaosServer> {
  const byConnections = () => servers.toSorted((a, b) => ways.openFrom(b.source) - ways.openFrom(a.source));
  const busy = () => byConnections().find(({ source }) => ways.openFrom(source) >= BUSY);
  // Where nobody is, somebody is taken.
  const found = await until('a busy server', busy, BUSY_WITHIN_MS).catch(() => byConnections()[0]);
  if (found === undefined) throw new Error('there is no server');
  return found;
}

async function serverOf({ server }: PlannedFault, stage: Stage): Promise<ChaosServer | undefined> {
  if (server === null) return undefined;
  return server === 'busiest' ? busiestOf(stage) : stage.servers[server];
}

function blowOf(kind: FaultKind, stage: Stage, server: ChaosServer | undefined): Blow {
  if (kind === 'restart_database') return restart(stage, 'fast');
  if (kind === 'crash_database') return restart(stage, 'immediate');
  const blow = server && ofServer(kind, stage, server);
  if (blow === undefined) throw new Error(`there is nobody for ${kind}`);
  return blow;
}

interface Round {
  readonly stage: Stage;
  readonly isOver: () => boolean;
  /** Whether it is watched how others take over from a server that is killed; it is away for that long, then. */
  readonly isWatched: boolean;
}

interface Struck {
  readonly takeover?: Takeover;
  /** Something that takes its time: nobody has to wait for it before the end. */
  readonly mending?: Promise<void>;
}

/** Has a fault happen when its time has come, and mends it; `undefined`: the operation was over before. */
export async function strike(fault: PlannedFault, round: Round): Promise<Struck | undefined> {
  const { stage, isOver, isWatched } = round;
  const isDue = () => isOver() || stage.fleet.downs >= fault.afterDowns;
  await until(`${fault.afterDowns} reboots`, isDue, Number.POSITIVE_INFINITY);
  await delay(fault.delayMs);
  if (isOver()) return undefined;
  const server = await serverOf(fault, stage);
  if (fault.kind === 'kill' && isWatched && server) {
    const takeover = await killAndWatch(stage, server);
    return { takeover, mending: server.start() };
  }
  const blow = blowOf(fault.kind, stage, server);
  await blow.begin();
  await delay(fault.lastsMs);
  await blow.end();
  return {};
}
