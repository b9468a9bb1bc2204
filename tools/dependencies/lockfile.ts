// The packages that a lockfile names, and which of them bring which.

import { readFileSync } from 'node:fs';
import path from 'node:path';

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

export const nameOf = (place: string): string => place.slice(place.lastIndexOf(INSTALLED) + INSTALLED.length);

export class Lockfile {
  /** The folder that it is in. */
  readonly folder: string;
  /** By the place of each in this folder, such as `node_modules/pg`. */
  readonly #packages: Readonly<Record<string, LockedPackage>>;

  constructor(folder: string) {
    this.folder = folder;
    this.#packages = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
  }

  at(place: string): LockedPackage {
    return this.#packages[place] ?? {};
  }

  /** Whether it is one of several of which each machine gets its own. */
  isForOnePlatform(place: string): boolean {
    const { os, cpu } = this.at(place);
    return os !== undefined || cpu !== undefined;
  }

  /** Where the package is that another, or a workspace, means by a name: as near as possible. */
  find(from: string, name: string): string | undefined {
    const place = path.posix.join(from, INSTALLED, name);
    if (this.#packages[place] !== undefined) return place;
    if (from === '') return undefined;
    const above = from.lastIndexOf(INSTALLED);
    return this.find(above === -1 ? '' : from.slice(0, above).replace(/\/$/, ''), name);
  }

  /** A package and all that it brings, directly or not. */
  broughtBy(place: string, known = new Set<string>()): ReadonlySet<string> {
    if (known.has(place)) return known;
    known.add(place);
    const { dependencies, optionalDependencies, peerDependencies } = this.at(place);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = this.find(place, name);
      if (found !== undefined) this.broughtBy(found, known);
    }
    return known;
  }
}
