import { ask } from './deeds.ts';
import { PLAIN } from './plain-setup.ts';
import type { Stage } from './play.ts';
import { passUntil, problemAtTheEnd, setTheScene } from './play.ts';
import { isOpen } from './state.ts';

const MINUTE = 60_000;
/** More than a restart of one host has. */
export const MOST_PASSES = 1500;

const SETUP = { ...PLAIN, members: ['debian'], servers: 2 as const };

interface Freeze {
  /** At which call, or answer, of the server. */
  readonly pass: number;
  /** It wakes up when another has brought the host so far. */
  readonly wakesAt: 'rebooting' | 'verifying' | 'done';
}

/** A server freezes while it restarts a host, another goes on, the first one wakes up. Answers what went wrong. */
export async function freezeAndWake(
  stage: Stage,
  { pass, wakesAt }: Freeze,
): Promise<{ problem: string | undefined; hasFrozen: boolean }> {
  const cast = await setTheScene(stage, SETUP);
  const { simulation, watcher } = cast;
  const { control: sleeper } = await simulation.startServer({ isShared: true, freezesAtPass: pass });
  await ask(cast, SETUP.asked);
  const isOver = () => !watcher.state.operations.some(isOpen);
  await passUntil(cast, () => sleeper.isFrozen || isOver(), 10 * MINUTE);
  const hasFrozen = sleeper.isFrozen;
  await simulation.startServer({ isShared: true });
  const isSoFar = () => watcher.state.planned.some(({ phase }) => phase === wakesAt);
  await passUntil(cast, () => isSoFar() || isOver(), 10 * MINUTE);
  if (hasFrozen) sleeper.thaw();
  const hasEnded = await passUntil(cast, isOver, 10 * MINUTE);
  // What comes late comes now.
  await passUntil(cast, () => false, MINUTE);
  const [host] = watcher.state.planned;
  const problem =
    watcher.violation ??
    (hasEnded && host?.phase === 'done' ? undefined : `the host is ${host?.phase}: ${host?.problem}`) ??
    (await problemAtTheEnd(cast));
  await simulation.end();
  return { problem, hasFrozen };
}
