import { stat } from 'node:fs/promises';

/**
 * What changes when a file is written, replaced or, through a symbolic link, exchanged. The time of its last change of any kind is part
 * of it: whoever overwrites a file may set the other time back, and keep the size.
 */
export async function fileMark(file: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join();
}
