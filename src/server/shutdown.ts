import type { Log } from '../lib/log.ts';

/** After this the process ends whatever is still in flight: a stop that takes longer is a hang. */
const DEADLINE_MS = 9000;

/** Stops in order at the first SIGTERM or SIGINT, and at once at the second. */
export function stopOnSignals(stop: () => Promise<void>, log: Log): void {
  let isStopping = false;
  const onSignal = async (signal: string) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    const deadline = setTimeout(() => {
      log.error('requests were still in flight at the deadline');
      process.exit(1);
    }, DEADLINE_MS);
    await stop();
    clearTimeout(deadline);
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
