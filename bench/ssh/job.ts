/** What a client of the comparison is told, the floor as JSON on its standard input. */
export interface SshJob {
  readonly hosts: readonly { readonly address: string; readonly port: number }[];
  readonly keyFile: string;
  readonly command: string;
  readonly atOnce: number;
}

/** What it prints in the end. */
export interface SshResult {
  /** Hosts that answered. */
  readonly answered: number;
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
export async function inRows<T>(
  items: readonly T[],
  rows: number,
  run: (item: T) => Promise<boolean>,
): Promise<number> {
  const queue = items.values();
  let succeeded = 0;
  const row = async () => {
    for (const item of queue) if (await run(item)) succeeded += 1;
  };
  await Promise.all(Array.from({ length: rows }, row));
  return succeeded;
}
