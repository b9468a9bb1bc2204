import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';

/** Where files are not written to a disk; the usual folder for them where there is no such place, or too little room in it. */
export function memoryFolder({ roomMb }: { readonly roomMb: number }): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= roomMb * 1024 * 1024 ? MEMORY : tmpdir();
}
