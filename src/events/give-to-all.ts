import { setImmediate as nextTurn } from 'node:timers/promises';

/** Given to so many before others have their turn. */
const AT_ONCE = 250;

/** Gives something to each of those who are there now; whatever else the process has to do comes in between. */
export async function giveToAll<One>(ones: Iterable<One>, give: (one: One) => void): Promise<void> {
  let given = 0;
  for (const one of [...ones]) {
    give(one);
    given += 1;
    if (given % AT_ONCE === 0) await nextTurn();
  }
}
