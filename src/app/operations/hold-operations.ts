import type { Actor } from '../../domain/accounts/account.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';

export const readHold = ({ store }: Ports): Promise<boolean> => store.reads.switches.isHeld();

/** Waits for whoever is deciding on it, and may not have seen the switch; then it is looked at anew. */
const lookAnew = ({ store }: Pick<Ports, 'store'>, operation: string): Promise<void> =>
  store.transaction(async records => {
    await records.operations.setDue(operation, await records.nowMs());
    records.signals.add('due');
  });

/**
 * Holds all operations at once, or releases them: nothing new is started, what is in flight comes to its end. Operations are waited for one by
 * one, each by itself: in one transaction, whoever decides on any of them would wait until all others were had.
 */
export async function holdOperations(
  ports: Pick<Ports, 'store' | 'clock'>,
  actor: Actor,
  isHeld: boolean,
): Promise<boolean> {
  await change(ports, actor, async ({ records, tell }) => {
    if ((await records.switches.isHeld()) === isHeld) return;
    await records.switches.setHeld(isHeld);
    await tell({ type: isHeld ? 'operations.paused' : 'operations.resumed', subject: 'operations' });
  });
  for (const operation of await ports.store.reads.operations.openIds()) await lookAnew(ports, operation);
  return isHeld;
}
