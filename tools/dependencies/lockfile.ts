// The packages of a lockfile and their dependencies.

import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseLicence } from './licences.ts';

/** The used part of npm's format. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const NODE_MODULES = 'node_modules/';

export const toPackageName = (location: string): string =>
  location.slice(location.lastIndexOf(NODE_MODULES) + NODE_MODULES.length);

export class Lockfile {
  readonly folder: string;
  /** By location, for example `node_modules/pg`. */
  readonly #packages: Readonly<Record<string, LockedPackage>>;

  constructor(folder: string) {
    this.folder = folder;
    this.#packages = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
  }

  get(location: string): LockedPackage {
    return this.#packages[location] ?? {};
  }

  /** Whether npm installs the package only on some platforms. */
  isForOnePlatform(location: string): boolean {
    const { os, cpu } = this.get(location);
    return os !== undefined || cpu !== undefined;
  }

  /** Resolves a package name as seen from another package or workspace. */
  find(from: string, name: string): string | undefined {
    const location = path.posix.join(from, NODE_MODULES, name);
    if (this.#packages[location] !== undefined) return location;
    if (from === '') return undefined;
    const parentIndex = from.lastIndexOf(NODE_MODULES);
    return this.find(parentIndex === -1 ? '' : from.slice(0, parentIndex).replace(/\/$/, ''), name);
  }

  /** A package and all its direct and transitive dependencies. */
  listRequired(location: string, visited = new Set<string>()): ReadonlySet<string> {
    if (visited.has(location)) return visited;
    visited.add(location);
    const { dependencies, optionalDependencies, peerDependencies } = this.get(location);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const required = this.find(location, name);
      if (required !== undefined) this.listRequired(required, visited);
    }
    return visited;
  }
}

/** Without nested packages. */
function measureFolder(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map(entry => path.join(folder, entry.name))
    .reduce((sum, file) => sum + (lstatSync(file).isDirectory() ? measureFolder(file) : lstatSync(file).size), 0);
}

/** Returns 0 if the package is not installed on this machine. */
export function measureInstalledBytes({ folder }: Lockfile, location: string): number {
  const directory = path.join(folder, location);
  return existsSync(directory) ? measureFolder(directory) : 0;
}

/** From the manifest of the package, or from the lockfile if it is not installed. */
export function readLicence(lockfile: Lockfile, location: string): string {
  const manifest = path.join(lockfile.folder, location, 'package.json');
  return parseLicence(existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : lockfile.get(location));
}
