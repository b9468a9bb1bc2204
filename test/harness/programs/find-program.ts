import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** PATH with the folders of administration tools. */
export const toolPath = (): string => `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`;

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export const tryFindProgram = (name: string): string | undefined =>
  toolPath()
    .split(':')
    .map(folder => path.join(folder, name))
    .find(isProgram);

/** Throws if the program is not installed. */
export function findProgram(name: string): string {
  const file = tryFindProgram(name);
  if (file === undefined) throw new Error(`${name} is not installed`);
  return file;
}
