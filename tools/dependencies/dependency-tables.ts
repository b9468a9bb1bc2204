// Tables of dependencies: direct or transitive, shipped or for development. docs/reference/dependencies.md contains
// them, `npm run dependencies` prints them, and test/dependencies.test.ts checks reasons and licences.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Lockfile, measureInstalledBytes, readLicence, toPackageName } from './lockfile.ts';
import type { DependencyReason } from './reasons.ts';
import { DASHBOARD, DEVELOPMENT, SERVER } from './reasons.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BYTES_PER_MB = 1_000_000;

/** A package named in one of our package.json files. */
interface DirectDependency {
  readonly lockfile: Lockfile;
  readonly name: string;
  readonly location: string;
}

export interface Group {
  readonly title: string;
  /** Not shipped to users. */
  readonly isTool: boolean;
  readonly direct: readonly DirectDependency[];
  readonly reasons: Readonly<Record<string, DependencyReason>>;
}

/** A table row with a size, which is slow to measure. */
export interface SizedRow {
  readonly before: readonly string[];
  /** `undefined` if a required package is not installed. */
  readonly size: () => string | undefined;
  readonly after: readonly string[];
}

export interface SizedTable {
  readonly heads: readonly string[];
  readonly rows: readonly SizedRow[];
}

type Section = 'dependencies' | 'devDependencies' | 'optionalDependencies';

/** The dependencies in a package.json; `from` is its folder relative to the lockfile. */
function listDirectDependencies(lockfile: Lockfile, sections: readonly Section[], from = ''): DirectDependency[] {
  const manifest = JSON.parse(readFileSync(path.join(lockfile.folder, from, 'package.json'), 'utf8'));
  const names = sections.flatMap(section => Object.keys(manifest[section] ?? {}));
  return names.map(name => ({
    lockfile,
    name,
    location: lockfile.find(from, name) ?? `node_modules/${name}`,
  }));
}

export function dependencyGroups(): readonly Group[] {
  const [main, web] = [new Lockfile(ROOT), new Lockfile(path.join(ROOT, 'web'))];
  const tools = [
    ...listDirectDependencies(main, ['dependencies', 'optionalDependencies'], 'tools/runtime'),
    ...listDirectDependencies(main, ['devDependencies']),
    ...listDirectDependencies(web, ['devDependencies']),
  ];
  return [
    {
      title: 'server',
      isTool: false,
      direct: listDirectDependencies(main, ['dependencies']),
      reasons: SERVER,
    },
    {
      title: 'dashboard',
      isTool: false,
      direct: listDirectDependencies(web, ['dependencies']),
      reasons: DASHBOARD,
    },
    { title: 'development', isTool: true, direct: tools, reasons: DEVELOPMENT },
  ];
}

function formatSize(bytes: number): string {
  if (bytes === 0) return 'for other platforms';
  return bytes < BYTES_PER_MB / 20 ? '< 0.1 MB' : `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;
}

/** `undefined` if a package is missing that is not for another platform. */
function measureBytes(lockfile: Lockfile, locations: Iterable<string>): number | undefined {
  const sizes = [...locations].map(location => ({
    location,
    bytes: measureInstalledBytes(lockfile, location),
  }));
  if (sizes.some(({ location, bytes }) => bytes === 0 && !lockfile.isForOnePlatform(location))) return undefined;
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
}

const formatTotalSize = (...all: readonly (readonly [Lockfile, Iterable<string>])[]): string | undefined => {
  const sizes = all.map(([lockfile, locations]) => measureBytes(lockfile, locations));
  const complete = sizes.filter(bytes => bytes !== undefined);
  return complete.length < sizes.length ? undefined : formatSize(complete.reduce((sum, bytes) => sum + bytes, 0));
};

/** Counts the platform-specific packages as one, because each machine installs one of them. */
function countPackages(lockfile: Lockfile, locations: ReadonlySet<string>): number {
  const forAll = [...locations].filter(location => !lockfile.isForOnePlatform(location));
  return forAll.length + (forAll.length < locations.size ? 1 : 0);
}

const formatTitleCells = (lockfile: Lockfile, location: string): string[] => [
  `\`${toPackageName(location)}\``,
  lockfile.get(location).version ?? '',
  readLicence(lockfile, location),
];

export const directTable = ({ direct, reasons }: Group): SizedTable => ({
  heads: ['Package', 'Version', 'Licence', 'Packages', 'Size', 'Purpose', 'Alternative'],
  rows: direct.map(({ lockfile, name, location }) => {
    const required = lockfile.listRequired(location);
    return {
      before: [...formatTitleCells(lockfile, location), String(countPackages(lockfile, required))],
      size: () => formatTotalSize([lockfile, required]),
      after: [reasons[name]?.why ?? '', reasons[name]?.alternative ?? ''],
    };
  }),
});

/** All packages of a group with the direct dependencies that require them. */
export function listPackages({ direct }: Group): ReadonlyMap<Lockfile, ReadonlyMap<string, readonly string[]>> {
  const all = new Map<Lockfile, Map<string, readonly string[]>>();
  for (const { lockfile, name, location } of direct) {
    const packages = all.get(lockfile) ?? new Map<string, readonly string[]>();
    for (const required of lockfile.listRequired(location))
      packages.set(required, [...(packages.get(required) ?? []), name]);
    all.set(lockfile, packages);
  }
  return all;
}

/** By name, then by location for several versions. */
const toSortKey = (location: string) => `${toPackageName(location)} ${location}`;

/** Omits platform-specific packages, because they belong to a package that is listed. */
export function transitiveTable(group: Group): SizedTable {
  const directLocations = new Set(group.direct.map(({ location }) => location));
  const rows = [...listPackages(group)].flatMap(([lockfile, packages]) =>
    [...packages]
      .filter(([location]) => !directLocations.has(location) && !lockfile.isForOnePlatform(location))
      .sort(([a], [b]) => (toSortKey(a) < toSortKey(b) ? -1 : 1))
      .map(([location, requiredBy]) => ({
        before: formatTitleCells(lockfile, location),
        size: () => formatTotalSize([lockfile, [location]]),
        after: [requiredBy.map(name => `\`${name}\``).join(', ')],
      })),
  );
  return { heads: ['Package', 'Version', 'Licence', 'Size', 'Required by'], rows };
}

/** One row per group. */
export const totalTable = (groups: readonly Group[]): SizedTable => ({
  heads: ['Group', 'Direct', 'All', 'Size', 'Licences'],
  rows: groups.map(group => {
    const all = [...listPackages(group)].map(([lockfile, packages]) => ({
      lockfile,
      locations: new Set(packages.keys()),
    }));
    const count = all.reduce((sum, { lockfile, locations }) => sum + countPackages(lockfile, locations), 0);
    const licences = all.flatMap(({ lockfile, locations }) =>
      [...locations].map(location => readLicence(lockfile, location)),
    );
    return {
      before: [group.title, String(group.direct.length), String(count)],
      size: () => formatTotalSize(...all.map(({ lockfile, locations }) => [lockfile, locations] as const)),
      after: [[...new Set(licences)].sort().join(', ')],
    };
  }),
});
