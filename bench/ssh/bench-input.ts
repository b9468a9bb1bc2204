/** The input of a tool; the baseline reads it as JSON from stdin. */
export interface SshBenchInput {
  readonly hosts: readonly { readonly address: string; readonly port: number }[];
  readonly keyFile: string;
  readonly command: string;
  readonly concurrency: number;
}

export interface SshBenchResult {
  /** Number of hosts that responded. */
  readonly succeeded: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The same for all tools: the key exchange that the library supports too. */
export const KEX = 'curve25519-sha256';

export const SSH_OPTIONS = [
  ...['-o', `KexAlgorithms=${KEX}`, '-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes'],
  ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'],
];

/** Runs up to `concurrency` items at a time. Returns the number of successes. */
export async function runConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  run: (item: T) => Promise<boolean>,
): Promise<number> {
  const queue = items.values();
  let succeeded = 0;
  const worker = async () => {
    for (const item of queue) if (await run(item)) succeeded += 1;
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return succeeded;
}
