// The packages that a lockfile names, and which of them bring which.

import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseLicence } from './licences.ts';

/** As npm writes it, so far as we look. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const INSTALLED = 'node_modules/';

export const toPackageName = (location: string): string =>
  location.slice(location.lastIndexOf(INSTALLED) + INSTALLED.length);

export class Lockfile {
  /** The folder that it is in. */
  readonly folder: string;
  /** By the place of each in this folder, such as `node_modules/pg`. */
  readonly #packages: Readonly<Record<string, LockedPackage>>;

  constructor(folder: string) {
    this.folder = folder;
    this.#packages = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
  }

  get(location: string): LockedPackage {
    return this.#packages[location] ?? {};
  }

  /** Whether it is one of several of which each machine gets its own. */
  isForOnePlatform(location: string): boolean {
    const { os, cpu } = this.get(location);
    return os !== undefined || cpu !== undefined;
  }

  /** Where the package is that another, or a workspace, means by a name: as near as possible. */
  find(from: string, name: string): string | undefined {
    const location = path.posix.join(from, INSTALLED, name);
    if (this.#packages[location] !== undefined) return location;
    if (from === '') return undefined;
    const parentIndex = from.lastIndexOf(INSTALLED);
    return this.find(parentIndex === -1 ? '' : from.slice(0, parentIndex).replace(/\/$/, ''), name);
  }

  /** A package and all that it brings, directly or not. */
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

/** Of its files; packages inside it are packages of their own. */
function measureFolder(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map(entry => path.join(folder, entry.name))
    .reduce(
      (sum, file) => sum + (lstatSync(file).isDirectory() ? measureFolder(file) : lstatSync(file).size),
      0,
    );
}

/** Nothing, where it is not installed: it is for other machines, or not needed at the moment. */
export function measureInstalledBytes({ folder }: Lockfile, location: string): number {
  const directory = path.join(folder, location);
  return existsSync(directory) ? measureFolder(directory) : 0;
}

/** As the package itself says; as the lockfile says where it is not installed. */
export function readLicence(lockfile: Lockfile, location: string): string {
  const manifest = path.join(lockfile.folder, location, 'package.json');
  return parseLicence(
    existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : lockfile.get(location),
  );
}
