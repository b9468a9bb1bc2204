import type { Log } from '../lib/log.ts';
import { endProcess } from './end-process.ts';

/** A stop that takes longer is a hang, and whoever sent the signal is about to kill us anyway. */
const DEADLINE_MS = 9500;

/** Stops in order at the first SIGTERM or SIGINT, and at once at the second. */
export function stopOnSignals(stop: () => Promise<void>, log: Log): void {
  let isStopping = false;
  const onSignal = async (signal: string) => {
    if (isStopping) endProcess(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('shutdown timed out');
      endProcess(1);
    }, DEADLINE_MS);
    await stop();
    log.info('stopped');
    endProcess(0);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
