import { requestOperation } from './actions.ts';
import { DEFAULT_SETUP } from './history.ts';
import type { Environment } from './run-history.ts';
import { advanceUntil, checkEndState, createCluster } from './run-history.ts';
import { isOpen } from './stored-state.ts';

const MINUTE = 60_000;
/** Upper limit, above the number of calls of a restart of one host. */
export const MAX_CALLS = 1500;

export const FREEZE_SETUP = { ...DEFAULT_SETUP, members: ['debian'], servers: 2 as const };

interface FreezePlan {
  /** Number of the call or response at which the server freezes. */
  readonly call: number;
  /** The server thaws when another server has brought the host to this phase. */
  readonly thawsAt: 'rebooting' | 'verifying' | 'done';
}

/**
 * Freezes a server while it restarts a host, lets another server take over and thaws the first. Returns the
 * first violation.
 */
export async function freezeAndThaw(
  environment: Environment,
  { call, thawsAt }: FreezePlan,
): Promise<{ violation: string | undefined; hasFrozen: boolean }> {
  const cluster = await createCluster(environment, FREEZE_SETUP);
  const { simulation, monitor } = cluster;
  const { control: frozen } = await simulation.startServer({ isShared: true, freezesAtCall: call });
  await requestOperation(cluster, FREEZE_SETUP.request);
  const hasEnded = () => !monitor.state.operations.some(isOpen);
  await advanceUntil(cluster, () => frozen.isFrozen || hasEnded(), 10 * MINUTE);
  const hasFrozen = frozen.isFrozen;
  await simulation.startServer({ isShared: true });
  const isInPhase = () => monitor.state.planned.some(({ phase }) => phase === thawsAt);
  await advanceUntil(cluster, () => isInPhase() || hasEnded(), 10 * MINUTE);
  if (hasFrozen) frozen.revert('freeze_server');
  const isInTime = await advanceUntil(cluster, hasEnded, 10 * MINUTE);
  // Delayed commands arrive now.
  await advanceUntil(cluster, () => false, MINUTE);
  const [host] = monitor.state.planned;
  const violation =
    monitor.violation ??
    (isInTime && host?.phase === 'done' ? undefined : `the host is ${host?.phase}: ${host?.problem}`) ??
    (await checkEndState(cluster));
  await simulation.close();
  return { violation, hasFrozen };
}
