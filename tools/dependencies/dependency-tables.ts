// What we stand on, as tables: asked for by ourselves, or brought along; given to users, or only worked with. `docs/reference/dependencies.md` has
// them, `npm run dependencies` prints them as they are now, and test/dependencies.test.ts says which package has no reason or no fitting licence.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Lockfile, measureInstalledBytes, readLicence, toPackageName } from './lockfile.ts';
import type { DependencyReason } from './reasons.ts';
import { DASHBOARD, DEVELOPMENT, SERVER } from './reasons.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BYTES_PER_MB = 1_000_000;

/** A package that a package.json of ours names. */
export interface DirectDependency {
  readonly lockfile: Lockfile;
  readonly name: string;
  readonly location: string;
}

export interface Group {
  readonly title: string;
  /** Users never get it. */
  readonly isTool: boolean;
  readonly direct: readonly DirectDependency[];
  readonly reasons: Readonly<Record<string, DependencyReason>>;
}

/** A line around a size, which takes long to measure. */
export interface SizedRow {
  readonly before: readonly string[];
  /** Nothing, where something is not installed that every machine has. */
  readonly size: () => string | undefined;
  readonly after: readonly string[];
}

export interface SizedTable {
  readonly heads: readonly string[];
  readonly rows: readonly SizedRow[];
}

type Section = 'dependencies' | 'devDependencies' | 'optionalDependencies';

/** What a package.json asks for; `from` is its folder in that of the lockfile. */
function listDirectDependencies(
  lockfile: Lockfile,
  sections: readonly Section[],
  from = '',
): DirectDependency[] {
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

/** Nothing, where one is missing that is not for other machines. */
function measureBytes(lockfile: Lockfile, locations: Iterable<string>): number | undefined {
  const sizes = [...locations].map(location => ({
    place: location,
    bytes: measureInstalledBytes(lockfile, location),
  }));
  if (sizes.some(({ place: location, bytes }) => bytes === 0 && !lockfile.isForOnePlatform(location)))
    return undefined;
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
}

const formatTotalSize = (...all: readonly (readonly [Lockfile, Iterable<string>])[]): string | undefined => {
  const sizes = all.map(([lockfile, places]) => measureBytes(lockfile, places));
  const complete = sizes.filter(bytes => bytes !== undefined);
  return complete.length < sizes.length
    ? undefined
    : formatSize(complete.reduce((sum, bytes) => sum + bytes, 0));
};

/** Of those that are for one kind of machine each, every machine has one. */
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

/** Every package of a group, and which of those that we ask for bring it. */
export function listPackages({
  direct,
}: Group): ReadonlyMap<Lockfile, ReadonlyMap<string, readonly string[]>> {
  const all = new Map<Lockfile, Map<string, readonly string[]>>();
  for (const { lockfile, name, location } of direct) {
    const packages = all.get(lockfile) ?? new Map<string, readonly string[]>();
    for (const each of lockfile.listRequired(location))
      packages.set(each, [...(packages.get(each) ?? []), name]);
    all.set(lockfile, packages);
  }
  return all;
}

/** By name; versions of one package by where they are. */
const toSortKey = (location: string) => `${toPackageName(location)} ${location}`;

/** What is brought along; those for one kind of machine each are left out, since they belong to one that is there. */
export function transitiveTable(group: Group): SizedTable {
  const directLocations = new Set(group.direct.map(({ location }) => location));
  const rows = [...listPackages(group)].flatMap(([lockfile, packages]) =>
    [...packages]
      .filter(([location]) => !directLocations.has(location) && !lockfile.isForOnePlatform(location))
      .sort(([a], [b]) => (toSortKey(a) < toSortKey(b) ? -1 : 1))
      .map(([location, by]) => ({
        before: formatTitleCells(lockfile, location),
        size: () => formatTotalSize([lockfile, [location]]),
        after: [by.map(name => `\`${name}\``).join(', ')],
      })),
  );
  return { heads: ['Package', 'Version', 'Licence', 'Size', 'Required by'], rows };
}

/** One line for each group: how much it is. */
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
