import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';

/** A folder in memory, or the temporary folder if there is none with enough space. */
export function memoryFolder({ requiredMb }: { readonly requiredMb: number }): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= requiredMb * 1024 * 1024 ? MEMORY : tmpdir();
}
