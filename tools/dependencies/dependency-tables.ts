// What we stand on, as tables: asked for by ourselves, or brought along; given to users, or only worked with. `docs/reference/dependencies.md` has
// them, `npm run dependencies` prints them as they are now, and test/dependencies.test.ts says which package has no reason or no fitting licence.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { installedBytes, licenceAt } from './installed-package.ts';
import { Lockfile, nameOf } from './lockfile.ts';
import type { Reason } from './reasons.ts';
import { DASHBOARD, DEVELOPMENT, SERVER } from './reasons.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BYTES_PER_MB = 1_000_000;

/** A package that a package.json of ours names. */
export interface Asked {
  readonly lockfile: Lockfile;
  readonly name: string;
  readonly place: string;
}

export interface Group {
  readonly title: string;
  /** Users never get it. */
  readonly isTool: boolean;
  readonly asked: readonly Asked[];
  readonly reasons: Readonly<Record<string, Reason>>;
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
function askedBy(lockfile: Lockfile, sections: readonly Section[], from = ''): Asked[] {
  const manifest = JSON.parse(readFileSync(path.join(lockfile.folder, from, 'package.json'), 'utf8'));
  const names = sections.flatMap(section => Object.keys(manifest[section] ?? {}));
  return names.map(name => ({ lockfile, name, place: lockfile.find(from, name) ?? `node_modules/${name}` }));
}

export function dependencyGroups(): readonly Group[] {
  const [main, web] = [new Lockfile(ROOT), new Lockfile(path.join(ROOT, 'web'))];
  const tools = [
    ...askedBy(main, ['dependencies', 'optionalDependencies'], 'tools/runtime'),
    ...askedBy(main, ['devDependencies']),
    ...askedBy(web, ['devDependencies']),
  ];
  return [
    { title: 'server', isTool: false, asked: askedBy(main, ['dependencies']), reasons: SERVER },
    { title: 'dashboard', isTool: false, asked: askedBy(web, ['dependencies']), reasons: DASHBOARD },
    { title: 'development', isTool: true, asked: tools, reasons: DEVELOPMENT },
  ];
}

function sizeText(bytes: number): string {
  if (bytes === 0) return 'for other platforms';
  return bytes < BYTES_PER_MB / 20 ? '< 0.1 MB' : `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;
}

/** Nothing, where one is missing that is not for other machines. */
function bytesOf(lockfile: Lockfile, places: Iterable<string>): number | undefined {
  const sizes = [...places].map(place => ({ place, bytes: installedBytes(lockfile, place) }));
  if (sizes.some(({ place, bytes }) => bytes === 0 && !lockfile.isForOnePlatform(place))) return undefined;
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
}

const sizeOf = (...all: readonly (readonly [Lockfile, Iterable<string>])[]): string | undefined => {
  const sizes = all.map(([lockfile, places]) => bytesOf(lockfile, places));
  const known = sizes.filter(bytes => bytes !== undefined);
  return known.length < sizes.length ? undefined : sizeText(known.reduce((sum, bytes) => sum + bytes, 0));
};

/** Of those that are for one kind of machine each, every machine has one. */
function countOf(lockfile: Lockfile, places: ReadonlySet<string>): number {
  const forAll = [...places].filter(place => !lockfile.isForOnePlatform(place));
  return forAll.length + (forAll.length < places.size ? 1 : 0);
}

const titleOf = (lockfile: Lockfile, place: string): string[] => [
  `\`${nameOf(place)}\``,
  lockfile.at(place).version ?? '',
  licenceAt(lockfile, place),
];

export const askedTable = ({ asked, reasons }: Group): SizedTable => ({
  heads: ['Package', 'Version', 'Licence', 'Packages', 'Size', 'Purpose', 'Alternative'],
  rows: asked.map(({ lockfile, name, place }) => {
    const brought = lockfile.broughtBy(place);
    return {
      before: [...titleOf(lockfile, place), String(countOf(lockfile, brought))],
      size: () => sizeOf([lockfile, brought]),
      after: [reasons[name]?.why ?? '', reasons[name]?.otherwise ?? ''],
    };
  }),
});

/** Every package of a group, and which of those that we ask for bring it. */
export function packagesOf({ asked }: Group): ReadonlyMap<Lockfile, ReadonlyMap<string, readonly string[]>> {
  const all = new Map<Lockfile, Map<string, readonly string[]>>();
  for (const { lockfile, name, place } of asked) {
    const known = all.get(lockfile) ?? new Map<string, readonly string[]>();
    for (const each of lockfile.broughtBy(place)) known.set(each, [...(known.get(each) ?? []), name]);
    all.set(lockfile, known);
  }
  return all;
}

/** By name; versions of one package by where they are. */
const orderOf = (place: string) => `${nameOf(place)} ${place}`;

/** What is brought along; those for one kind of machine each are left out, since they belong to one that is there. */
export function broughtTable(group: Group): SizedTable {
  const own = new Set(group.asked.map(({ place }) => place));
  const rows = [...packagesOf(group)].flatMap(([lockfile, packages]) =>
    [...packages]
      .filter(([place]) => !own.has(place) && !lockfile.isForOnePlatform(place))
      .sort(([a], [b]) => (orderOf(a) < orderOf(b) ? -1 : 1))
      .map(([place, by]) => ({
        before: titleOf(lockfile, place),
        size: () => sizeOf([lockfile, [place]]),
        after: [by.map(name => `\`${name}\``).join(', ')],
      })),
  );
  return { heads: ['Package', 'Version', 'Licence', 'Size', 'Required by'], rows };
}

/** One line for each group: how much it is. */
export const totalTable = (groups: readonly Group[]): SizedTable => ({
  heads: ['Group', 'Direct', 'All', 'Size', 'Licences'],
  rows: groups.map(group => {
    const all = [...packagesOf(group)].map(([lockfile, packages]) => ({
      lockfile,
      places: new Set(packages.keys()),
    }));
    const count = all.reduce((sum, { lockfile, places }) => sum + countOf(lockfile, places), 0);
    const licences = all.flatMap(({ lockfile, places }) =>
      [...places].map(place => licenceAt(lockfile, place)),
    );
    return {
      before: [group.title, String(group.asked.length), String(count)],
      size: () => sizeOf(...all.map(({ lockfile, places }) => [lockfile, places] as const)),
      after: [[...new Set(licences)].sort().join(', ')],
    };
  }),
});
