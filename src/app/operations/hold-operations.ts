import type { Actor } from '../../domain/accounts/actor.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';

export const readHold = ({ store }: Ports): Promise<boolean> => store.reads.switches.isHeld();

/** Holds all operations at once, or releases them: nothing new is started, what is in flight comes to its end. */
export async function holdOperations(ports: Ports, actor: Actor, isHeld: boolean): Promise<boolean> {
  return change(ports, actor, async ({ records, tell, wake }) => {
    if ((await records.switches.isHeld()) === isHeld) return isHeld;
    await records.switches.setHeld(isHeld);
    await records.operations.setAllDue(await records.nowMs());
    await tell({ type: isHeld ? 'operations.held' : 'operations.released', subject: 'operations' });
    wake();
    return isHeld;
  });
}
