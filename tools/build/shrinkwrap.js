// Creates `npm-shrinkwrap.json`, so that the package is installed with the tested versions of its runtime
// dependencies. It is derived from the lockfile, which also contains development dependencies and the private
// workspace, and which npm does not publish.
//
// The file exists only while the package is created: in a checkout npm would use it as the lockfile.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const SHRINKWRAP = 'npm-shrinkwrap.json';

/** Resolves a package like Node: in its own node_modules or in one of its parents. */
function resolvePackage(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const location = `${folder && `${folder}/`}node_modules/${name}`;
    if (location in packages) return location;
    if (folder === '') return undefined;
  }
}

/**
 * @param {{ packages: Record<string, object>, [key: string]: unknown }} lock
 * @returns the lockfile with runtime dependencies only
 */
export function createShrinkwrap(lock) {
  const { name, version, license, dependencies, bin, engines } = lock.packages[''];
  const packages = { '': { name, version, license, dependencies, bin, engines } };
  const queue = [''];
  for (const location of queue) {
    const { dependencies: needed, optionalDependencies: optional } = lock.packages[location];
    for (const dependency of Object.keys({ ...needed, ...optional })) {
      const dependencyLocation = resolvePackage(lock.packages, location, dependency);
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
