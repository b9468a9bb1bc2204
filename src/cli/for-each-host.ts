import { formatCount } from '../lib/text.ts';
import { MAX_CONCURRENT_REQUESTS } from '../sdk/client.ts';
import { isSingleHostError } from '../sdk/errors.ts';
import { describeError, rejectedError } from './errors.ts';
import type { NamedHost } from './resolve-hosts.ts';
import type { Session } from './session.ts';

/**
 * Runs an action for each host in sequence and continues after an error of a single host. Its `value` is the record in
 * the response, or the address. Programs always get a list, also for one host.
 */
export async function forEachHost(
  { printer, terminal }: Session,
  hosts: readonly NamedHost[],
  action: (host: NamedHost) => Promise<{ readonly message: string; readonly value: unknown }>,
): Promise<void> {
  const values = new Map<string, unknown>();
  for (const host of hosts) {
    const { address, displayName } = host;
    try {
      const { message, value } = await action(host);
      values.set(address, value);
      if (printer.isHumanReadable) await printer.printResult(message, value, address);
    } catch (error) {
      // A single error is printed as for other commands.
      if (!isSingleHostError(error) || hosts.length === 1) throw error;
      terminal.writeErr(`hostler: ${displayName}: ${describeError(error).lines.join('\n')}\n`);
    }
  }
  if (!printer.isHumanReadable) await printer.printStructured([...values.values()], [...values.keys()]);
  const failedCount = hosts.length - values.size;
  if (failedCount > 0) throw rejectedError(`failed for ${failedCount} of ${formatCount(hosts.length, 'host')}`);
}

/**
 * Runs with limited concurrency and returns the results in the order of the items.
 * After an error it starts no further items, waits for the running ones, and throws the first error.
 */
export async function mapConcurrent<T, Result>(
  items: readonly T[],
  run: (item: T) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const runWorker = async () => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await run(items[index] as T);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_REQUESTS, items.length) }, runWorker));
  if (failures.length > 0) throw failures[0];
  return results;
}
