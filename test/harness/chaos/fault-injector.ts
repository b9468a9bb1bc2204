import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../wait-until.ts';
import type { ChaosEnvironment, ChaosServer } from './chaos-environment.ts';
import type { FaultKind, PlannedFault } from './fault-plan.ts';
import type { Takeover } from './takeover.ts';
import { killAndMeasure } from './takeover.ts';

/** Open connections of a busy server; a health check lasts only some ten milliseconds. */
const BUSY_CONNECTIONS = 3;
const BUSY_TIMEOUT_MS = 5000;

interface FaultAction {
  start(): unknown;
  stop(): unknown;
}

const databaseRestart = (environment: ChaosEnvironment, mode: 'fast' | 'immediate'): FaultAction => ({
  start: () => environment.postgres.halt(mode),
  stop: () => environment.postgres.resume(),
});

const serverOutage = (server: ChaosServer, signal: 'SIGKILL' | 'SIGTERM'): FaultAction => ({
  start: () => server.terminate(signal),
  stop: () => server.start(),
});

function serverFault(
  kind: FaultKind,
  { fleet: { links } }: ChaosEnvironment,
  server: ChaosServer,
): FaultAction | undefined {
  const { databaseLink, source } = server;
  const restoreHosts = () => links.restore(source);
  const actions: Partial<Record<FaultKind, FaultAction>> = {
    kill: serverOutage(server, 'SIGKILL'),
    leave: serverOutage(server, 'SIGTERM'),
    freeze: { start: () => server.freeze(), stop: () => server.resume() },
    cut_database: { start: () => databaseLink.cut(), stop: () => databaseLink.restore() },
    clog_database: { start: () => databaseLink.freeze('all'), stop: () => databaseLink.thaw() },
    cut_hosts: { start: () => links.cut(source), stop: restoreHosts },
    clog_hosts: { start: () => links.stall(source), stop: restoreHosts },
  };
  return actions[kind];
}

/** Waits until a server has several connections to hosts. */
export async function findBusiestServer({ servers, fleet: { links } }: ChaosEnvironment): Promise<ChaosServer> {
  const byConnections = () => servers.toSorted((a, b) => links.countOpen(b.source) - links.countOpen(a.source));
  const findBusy = () => byConnections().find(({ source }) => links.countOpen(source) >= BUSY_CONNECTIONS);
  // Falls back to the server with the most connections.
  const found = await waitUntil('a busy server', findBusy, BUSY_TIMEOUT_MS).catch(() => byConnections()[0]);
  if (found === undefined) throw new Error('the environment has no server');
  return found;
}

async function findServer({ server }: PlannedFault, environment: ChaosEnvironment): Promise<ChaosServer | undefined> {
  if (server === null) return undefined;
  return server === 'busiest' ? findBusiestServer(environment) : environment.servers[server];
}

function createFault(kind: FaultKind, environment: ChaosEnvironment, server: ChaosServer | undefined): FaultAction {
  if (kind === 'restart_database') return databaseRestart(environment, 'fast');
  if (kind === 'crash_database') return databaseRestart(environment, 'immediate');
  const action = server && serverFault(kind, environment, server);
  if (action === undefined) throw new Error(`no action for the fault ${kind}`);
  return action;
}

interface InjectionContext {
  readonly environment: ChaosEnvironment;
  readonly hasEnded: () => boolean;
  /** Measures how other servers take over from a killed server, which stays down meanwhile. */
  readonly measuresTakeover: boolean;
}

interface InjectedFault {
  readonly takeover?: Takeover;
  /** Runs in the background until the end of the run. */
  readonly recovery?: Promise<void>;
}

/** Injects a fault when it is due and reverts it. `undefined` if the operation ended before. */
export async function injectFault(fault: PlannedFault, context: InjectionContext): Promise<InjectedFault | undefined> {
  const { environment, hasEnded, measuresTakeover } = context;
  const isDue = () => hasEnded() || environment.fleet.rebootCount >= fault.afterReboots;
  await waitUntil(`${fault.afterReboots} reboots`, isDue, Number.POSITIVE_INFINITY);
  await delay(fault.delayMs);
  if (hasEnded()) return undefined;
  const server = await findServer(fault, environment);
  if (fault.kind === 'kill' && measuresTakeover && server) {
    const takeover = await killAndMeasure(environment, server);
    return { takeover, recovery: server.start() };
  }
  const action = createFault(fault.kind, environment, server);
  await action.start();
  await delay(fault.durationMs);
  await action.stop();
  return {};
}
