import { watch } from 'node:fs';
import { dirname } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { fileMark } from '../../../lib/file-mark.ts';

/** A file that is exchanged through a symbolic link, or on a network's disk, tells nobody: so it is looked at as well. */
const LOOK_EVERY_MS = 2000;

/** Calls back when it has begun, and whenever the file has changed, has gone or has come back, until the signal ends it. */
export async function watchFile(path: string, changed: () => void, signal: AbortSignal): Promise<void> {
  const look = () => fileMark(path).catch(() => 'gone');
  let last = '';
  let [isLooking, isWanted] = [false, false];
  // One look at a time: on a disk that does not answer each would hold a thread.
  const compare = async () => {
    isWanted = true;
    if (isLooking) return;
    isLooking = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      const mark = await look();
      if (mark === last || signal.aborted) continue;
      last = mark;
      changed();
    }
    isLooking = false;
  };
  // The folder, since most programs write another file and give it the name.
  const folder = watchedFolder(dirname(path), () => void compare());
  try {
    await compare();
    for await (const _ of setInterval(LOOK_EVERY_MS, undefined, { ref: false, signal })) await compare();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    folder?.close();
  }
}

function watchedFolder(folder: string, happened: () => void) {
  try {
    // Too many may be watched already, or the folder goes away: looking is enough.
    return watch(folder, { persistent: false }, happened).on('error', () => {});
  } catch {
    return undefined;
  }
}
