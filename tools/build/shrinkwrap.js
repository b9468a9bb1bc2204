// What the package is installed with: the versions that were tested, of the packages that run, as `npm-shrinkwrap.json`. It is made from
// the lockfile, which has those of development and of the private workspace too, and which npm puts into no package.
//
// It is there only while a package is made: in a checkout npm would take it for the lockfile.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const SHRINKWRAP = 'npm-shrinkwrap.json';

/** Where a package finds another: beside itself, or beside those that it lies in. */
function placeOf(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder && `${folder}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (folder === '') return undefined;
  }
}

/**
 * @param {{ packages: Record<string, object>, [key: string]: unknown }} lock
 * @returns the same with what the program runs on, and nothing else
 */
export function shrinkwrapOf(lock) {
  const { name, version, license, dependencies, bin, engines } = lock.packages[''];
  const kept = { '': { name, version, license, dependencies, bin, engines } };
  const found = [''];
  for (const place of found) {
    const { dependencies: needed, optionalDependencies: optional } = lock.packages[place];
    for (const each of Object.keys({ ...needed, ...optional })) {
      const at = placeOf(lock.packages, place, each);
      if (at === undefined || at in kept) continue;
      kept[at] = lock.packages[at];
      found.push(at);
    }
  }
  const sorted = Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

export function writeShrinkwrap(root) {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  writeFileSync(path.join(root, SHRINKWRAP), `${JSON.stringify(shrinkwrapOf(lock), null, 2)}\n`);
}

export const removeShrinkwrap = root => rmSync(path.join(root, SHRINKWRAP), { force: true });
