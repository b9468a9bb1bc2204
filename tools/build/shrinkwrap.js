// What the package is installed with: the versions that were tested, of the packages that run, as `npm-shrinkwrap.json`. It is made from
// the lockfile, which has those of development and of the private workspace too, and which npm puts into no package.
//
// It is there only while a package is made: in a checkout npm would take it for the lockfile.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const SHRINKWRAP = 'npm-shrinkwrap.json';

/** Where a package finds another: beside itself, or beside those that it lies in. */
function resolvePackage(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const location = `${folder && `${folder}/`}node_modules/${name}`;
    if (location in packages) return location;
    if (folder === '') return undefined;
  }
}

/**
 * @param {{ packages: Record<string, object>, [key: string]: unknown }} lock
 * @returns the same with what the program runs on, and nothing else
 */
export function createShrinkwrap(lock) {
  const { name, version, license, dependencies, bin, engines } = lock.packages[''];
  const packages = { '': { name, version, license, dependencies, bin, engines } };
  const queue = [''];
  for (const location of queue) {
    const { dependencies: needed, optionalDependencies: optional } = lock.packages[location];
    for (const each of Object.keys({ ...needed, ...optional })) {
      const dependencyLocation = resolvePackage(lock.packages, location, each);
      if (dependencyLocation === undefined || dependencyLocation in packages) continue;
      packages[dependencyLocation] = lock.packages[dependencyLocation];
      queue.push(dependencyLocation);
    }
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

export function writeShrinkwrap(root) {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  writeFileSync(path.join(root, SHRINKWRAP), `${JSON.stringify(createShrinkwrap(lock), null, 2)}\n`);
}

export const removeShrinkwrap = root => rmSync(path.join(root, SHRINKWRAP), { force: true });
