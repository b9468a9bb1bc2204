// The house's walls: which layer may import which. Every import of every source file is read, and one through a wall fails with
// the reason.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LAYERS, WEB_ROOMS } from './harness/documents/layers.ts';
import { WALLS } from './harness/documents/walls.ts';

const root = path.resolve(import.meta.dirname, '..');

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isTypeOnly: boolean;
}

function filesIn(folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap(entry => {
    if (entry.name === 'node_modules') return [];
    return entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`];
  });
}

/** Files under `src/` are named as from there, those of `bin/` and `web/` as from the root: these are layers as well. */
const sourceFiles = ['src', 'bin', 'web']
  .flatMap(filesIn)
  .filter(file => /\.[jt]sx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map(file => file.replace(/^src\//, ''))
  .sort();

/** Names that `web/` has for what it may import. */
const ALIASES: readonly (readonly [RegExp, string])[] = [
  [/^#sdk\//, 'src/sdk/'],
  [/^#contract\//, 'src/contract/'],
  [/^#vocabulary$/, 'src/domain/vocabulary.ts'],
];

/** What a file names, as from the root; nothing for packages. Files under `src/` are named as from there. */
function targetOf(file: string, specifier: string): string | undefined {
  const [alias, place = ''] = ALIASES.find(([pattern]) => pattern.test(specifier)) ?? [];
  if (alias) return specifier.replace(alias, place);
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : undefined;
}

/** Imports, re-exports and dynamic imports. `verbatimModuleSyntax` and the linter keep types in statements of their own. */
function importsOf(file: string, source: string): Import[] {
  const statements = source.matchAll(
    /^(?:import|export)(\s+type)?\b[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm,
  );
  return [...statements].flatMap(([, type, named, bare, dynamic]) => {
    const specifier = named ?? bare ?? dynamic ?? '';
    const to = targetOf(file, specifier)?.replace(/^src\//, '');
    return to === undefined ? [] : [{ from: file, to, isTypeOnly: type !== undefined }];
  });
}

const layerOf = (file: string): string => (file in LAYERS ? file : (file.split('/')[0] ?? ''));

/** Drivers of one kind know nothing of other kinds, nor a driver of its siblings. */
function driverProblem({ from, to }: Import): string | undefined {
  const [, fromKind, fromDriver] = from.split('/');
  const [layer, toKind, toDriver] = to.split('/');
  const isShared = (name: string | undefined) => name?.endsWith('.ts') === true;
  if (layer !== 'drivers' || isShared(fromKind) || isShared(toKind)) return undefined;
  if (fromKind !== toKind) return `a ${fromKind} driver may not import from ${toKind}`;
  const isDriverFolder = (name: string | undefined) => name !== undefined && !name.endsWith('.ts');
  if (isDriverFolder(fromDriver) && isDriverFolder(toDriver) && fromDriver !== toDriver) {
    return `the driver ${fromDriver} may not import its sibling ${toDriver}`;
  }
  return undefined;
}

/** It is bundled by itself, for machines that run no service. */
const isClientOnServer = ({ from, to }: Import): boolean =>
  from.startsWith('bin/client-') && layerOf(to) === 'server';

/** Pages know nothing of each other, and what is drawn everywhere nothing of what it is drawn for. */
function webProblem({ from, to }: Import): string | undefined {
  const [, , fromRoom = '', fromPage] = from.split('/');
  const [layer, , toRoom = '', toPage] = to.split('/');
  if (!from.startsWith('web/src/') || fromRoom === 'main.tsx') return undefined;
  const rule = WEB_ROOMS[fromRoom];
  if (rule === undefined)
    return `${fromRoom} is no room of the dashboard; give it a row in test/harness/documents/layers.ts`;
  if (layer !== 'web')
    return fromRoom === 'ui' && layer === 'contract' ? 'ui may not import contract' : undefined;
  if (fromRoom !== toRoom)
    return rule.values.includes(toRoom) ? undefined : `${fromRoom} may not import ${toRoom}`;
  return fromRoom === 'pages' && fromPage !== toPage
    ? `the page ${fromPage} may not import the page ${toPage}`
    : undefined;
}

function problemOf(found: Import): string | undefined {
  const [from, to] = [layerOf(found.from), layerOf(found.to)];
  const rule = LAYERS[from];
  if (rule === undefined)
    return `${found.from}: ${from} is not a layer; give it a row in this test and in docs/contributing/architecture.md`;
  if (found.to.startsWith('..')) return `${found.from} imports ${found.to}, outside src/`;
  if (isClientOnServer(found))
    return `${found.from} imports ${found.to}: the client may not import the server`;
  const wall = from === 'drivers' ? driverProblem(found) : from === 'web' ? webProblem(found) : undefined;
  if (wall) return `${found.from} imports ${found.to}: ${wall}`;
  // Whoever may know the rules may know their words, and what holds where nothing is said.
  const isPartOfRules = to.startsWith('domain/') && rule.values.includes('domain');
  if (from === to || rule.values.includes(to) || isPartOfRules) return undefined;
  if (rule.types?.includes(to)) {
    return found.isTypeOnly
      ? undefined
      : `${found.from} imports ${found.to} as a value: ${from} may use only types of ${to}`;
  }
  return `${found.from} imports ${found.to}: ${from} may not import ${to}`;
}

/** Files that need themselves, through others. What imports nothing that is left, or is imported by nothing that is left, is in no circle. */
function circlesIn(all: readonly Import[]): readonly string[] {
  const targets = new Set(all.map(({ to }) => to));
  const sources = new Set(all.map(({ from }) => from));
  const left = all.filter(({ from, to }) => targets.has(from) && sources.has(to));
  return left.length < all.length ? circlesIn(left) : [...sources].sort();
}

const read = (file: string) =>
  readFileSync(path.join(root, /^(bin|web)\//.test(file) ? '' : 'src', file), 'utf8');
const linesIn = (text: string) => text.trimEnd().split('\n').length;
const imports = sourceFiles.flatMap(file => importsOf(file, read(file)));

describe('the architecture', () => {
  test('every import keeps to the layers', () => {
    expect(imports.map(problemOf).filter(Boolean)).toEqual([]);
  });

  test.each(WALLS)('%s is caught', (_what, from, to, isTypeOnly, reason) => {
    expect(problemOf({ from, to, isTypeOnly })).toMatch(reason);
  });

  test('no file needs itself through others, not even for a type', () => {
    expect(circlesIn(imports)).toEqual([]);
    const circle = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
    ] as const;
    expect(circlesIn(circle.map(([from, to]) => ({ from, to, isTypeOnly: true })))).toEqual(['b', 'c']);
  });

  test('imports are found in each of their forms', () => {
    const source = [
      "import type { A } from './a.ts';",
      "import { b } from './b.ts';",
      "export { c } from './c.ts';",
      "const d = await import('./d.ts');",
      'import {',
      '  e,',
      "} from '../e.ts';",
      "import './f.ts';",
    ].join('\n');
    expect(importsOf('app/x.ts', source).map(({ to, isTypeOnly }) => [to, isTypeOnly])).toEqual([
      ['app/a.ts', true],
      ['app/b.ts', false],
      ['app/c.ts', false],
      ['app/d.ts', false],
      ['e.ts', false],
      ['app/f.ts', false],
    ]);
    expect(importsOf('bin/x.js', "import('../src/cli/main.ts')").map(({ to }) => to)).toEqual([
      'cli/main.ts',
    ]);
  });

  test('imports of the dashboard are found by paths and by the names that it has for them', () => {
    const source = [
      "import { a } from '#sdk/client.ts';",
      "import type { B } from '#contract/routes/hosts.ts';",
      "import { C } from '#vocabulary';",
      "import { d } from '../../../src/domain/host.ts';",
      "import e from './e.module.css';",
      "import { f } from 'react';",
    ].join('\n');
    expect(importsOf('web/src/hosts/x.tsx', source).map(({ to }) => to)).toEqual([
      'sdk/client.ts',
      'contract/routes/hosts.ts',
      'domain/vocabulary.ts',
      'domain/host.ts',
      'web/src/hosts/e.module.css',
    ]);
    expect(importsOf('app/x.ts', "import x from '../../web/src/x.ts';")[0]?.to).toBe('../web/src/x.ts');
  });

  test('the ssh library is imported in one folder', () => {
    const users = sourceFiles.filter(file => /from 'ssh2'/.test(read(file)));
    expect(users.every(file => file.startsWith('drivers/transport/ssh/'))).toBe(true);
  });

  test('OpenTelemetry is imported in one folder, and that only when it is asked for', () => {
    const users = sourceFiles.filter(file => /from '@opentelemetry/.test(read(file)));
    expect(users.filter(file => !file.startsWith('server/tracing/'))).toEqual([]);
    const isLoading = /^import (?!type)[^;]*from '[^']*open-telemetry\.ts'/m;
    expect(sourceFiles.filter(file => isLoading.test(read(file)))).toEqual([]);
  });

  test('rules are pure: no clock, no randomness, no input or output', () => {
    const impure =
      /Date\.now|new Date\(\)|performance\.|Math\.random|randomBytes|node:(fs|net|http|https|child_process|timers)/;
    const rules = sourceFiles.filter(file => file.startsWith('domain/'));
    expect(rules.filter(file => impure.test(read(file)))).toEqual([]);
  });

  test('what was thrown is read by what is there for it, and never taken for an error unseen', () => {
    const byHand = /\bas Error\b|'code' in \w+ (?:\?|&& \w+\.code\b)/;
    expect(sourceFiles.filter(file => byHand.test(read(file)))).toEqual([]);
  });

  test('no file is named after what it is not', () => {
    const isVague = (file: string) =>
      /(^|[/-])(utils?|helpers?|common|types|manager|handler|base|impl)\.ts$/.test(file);
    // The specification's own word.
    const isSpecified = (file: string) => file.endsWith('container-manager.ts');
    expect(sourceFiles.filter(file => isVague(file) && !isSpecified(file))).toEqual([]);
  });

  test('no file is longer than 300 lines', () => {
    expect(sourceFiles.filter(file => linesIn(read(file)) > 300)).toEqual([]);
  });

  test('no file of tests is longer than 400 lines', () => {
    const tests = ['src', 'test', 'web'].flatMap(filesIn).filter(file => /\.test\.tsx?$/.test(file));
    expect(tests.length).toBeGreaterThan(100);
    expect(tests.filter(file => linesIn(readFileSync(path.join(root, file), 'utf8')) > 400)).toEqual([]);
  });
});
