import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { licenceOf } from './licences.ts';
import type { Lockfile } from './lockfile.ts';

/** Of its files; packages inside it are packages of their own. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map(entry => path.join(folder, entry.name))
    .reduce((sum, file) => sum + (lstatSync(file).isDirectory() ? bytesIn(file) : lstatSync(file).size), 0);
}

/** Nothing, where it is not installed: it is for other machines, or not needed at the moment. */
export function installedBytes({ folder }: Lockfile, place: string): number {
  const there = path.join(folder, place);
  return existsSync(there) ? bytesIn(there) : 0;
}

/** As the package itself says; as the lockfile says where it is not installed. */
export function licenceAt(lockfile: Lockfile, place: string): string {
  const manifest = path.join(lockfile.folder, place, 'package.json');
  return licenceOf(existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : lockfile.at(place));
}
