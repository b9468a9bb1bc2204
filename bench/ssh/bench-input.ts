/** What a client of the comparison is told, the floor as JSON on its standard input. */
export interface SshBenchInput {
  readonly hosts: readonly { readonly address: string; readonly port: number }[];
  readonly keyFile: string;
  readonly command: string;
  readonly concurrency: number;
}

/** What it prints in the end. */
export interface SshBenchResult {
  /** Hosts that answered. */
  readonly succeeded: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Of the same for everybody: the one that the library, too, can compute. */
export const KEX = 'curve25519-sha256';

export const SSH_OPTIONS = [
  ...['-o', `KexAlgorithms=${KEX}`, '-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes'],
  ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'],
];

/** Runs one after the other in so many rows beside each other; answers how many succeeded. */
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
