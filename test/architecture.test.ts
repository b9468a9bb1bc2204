// Checks every import of every source file against the allowed imports of its layer.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORBIDDEN_IMPORTS } from './harness/documents/forbidden-imports.ts';
import { LAYERS, WEB_MODULES } from './harness/documents/import-rules.ts';

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

/** Files under `src/` are named relative to it, those of `bin/` and `web/` relative to the root. */
const sourceFiles = ['src', 'bin', 'web']
  .flatMap(filesIn)
  .filter(file => /\.[jt]sx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map(file => file.replace(/^src\//, ''))
  .sort();

/** Import aliases of `web/`. */
const ALIASES: readonly (readonly [RegExp, string])[] = [
  [/^#sdk\//, 'src/sdk/'],
  [/^#contract\//, 'src/contract/'],
  [/^#vocabulary$/, 'src/domain/vocabulary.ts'],
];

/** Resolves a specifier to a path from the root; `undefined` for packages. */
function targetOf(file: string, specifier: string): string | undefined {
  const [alias, replacement = ''] = ALIASES.find(([pattern]) => pattern.test(specifier)) ?? [];
  if (alias) return specifier.replace(alias, replacement);
  if (!specifier.startsWith('.')) return undefined;
  return path.posix.join(path.posix.dirname(file), specifier).replace(/^\.\.\/bin\//, 'bin/');
}

/**
 * Imports, re-exports and dynamic imports. `verbatimModuleSyntax` and the linter keep types in their own
 * statements.
 */
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

/** A driver may not import drivers of other kinds or its siblings. */
function checkDriverImport({ from, to }: Import): string | undefined {
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

/** The client is bundled separately, for machines without the server. */
const isClientOnServer = ({ from, to }: Import): boolean => from.startsWith('bin/client-') && layerOf(to) === 'server';

/** Pages may not import each other, and shared components may not import their users. */
function checkWebImport({ from, to }: Import): string | undefined {
  const [, , fromModule = '', fromPage] = from.split('/');
  const [layer, , toModule = '', toPage] = to.split('/');
  if (!from.startsWith('web/src/') || fromModule === 'main.tsx') return undefined;
  const rule = WEB_MODULES[fromModule];
  if (rule === undefined)
    return `${fromModule} is not a module of the dashboard; add it to test/harness/documents/import-rules.ts`;
  if (layer !== 'web') return fromModule === 'ui' && layer === 'contract' ? 'ui may not import contract' : undefined;
  if (fromModule !== toModule)
    return rule.values.includes(toModule) ? undefined : `${fromModule} may not import ${toModule}`;
  return fromModule === 'pages' && fromPage !== toPage
    ? `the page ${fromPage} may not import the page ${toPage}`
    : undefined;
}

function checkImport(found: Import): string | undefined {
  const [from, to] = [layerOf(found.from), layerOf(found.to)];
  const rule = LAYERS[from];
  if (rule === undefined)
    return `${found.from}: ${from} is not a layer; add it to test/harness/documents/import-rules.ts and docs/architecture.md`;
  if (found.to.startsWith('..')) return `${found.from} imports ${found.to}, outside src/`;
  if (isClientOnServer(found)) return `${found.from} imports ${found.to}: the client may not import the server`;
  const problem = from === 'drivers' ? checkDriverImport(found) : from === 'web' ? checkWebImport(found) : undefined;
  if (problem) return `${found.from} imports ${found.to}: ${problem}`;
  // A layer that may import a module may also import its files with their own rules, such as the vocabulary.
  const module = found.to.split('/')[0] ?? '';
  if ([from, ...rule.values].some(allowed => allowed === to || allowed === module)) return undefined;
  if (rule.types?.includes(to)) {
    return found.isTypeOnly
      ? undefined
      : `${found.from} imports ${found.to} as a value: ${from} may use only types of ${to}`;
  }
  return `${found.from} imports ${found.to}: ${from} may not import ${to}`;
}

/**
 * Files in an import cycle. A file that imports no remaining file, or that no remaining file imports, is in
 * no cycle.
 */
function cyclesIn(all: readonly Import[]): readonly string[] {
  const targets = new Set(all.map(({ to }) => to));
  const sources = new Set(all.map(({ from }) => from));
  const remaining = all.filter(({ from, to }) => targets.has(from) && sources.has(to));
  return remaining.length < all.length ? cyclesIn(remaining) : [...sources].sort();
}

const read = (file: string) => readFileSync(path.join(root, /^(bin|web)\//.test(file) ? '' : 'src', file), 'utf8');
const linesIn = (text: string) => text.trimEnd().split('\n').length;
const imports = sourceFiles.flatMap(file => importsOf(file, read(file)));

const TEST_LIBRARY = /\b(?:from|import) '(?:vitest|fast-check)\b/;

/** Files that start a program, a worker or a build. */
const ENTRY_POINTS = /^bin\/|^web\/vite|^web\/src\/main\.tsx$|^sdk\/index\.ts$|\/(?:feed|yaml)-worker\.ts$/;

describe('the architecture', () => {
  test('allows every import', () => {
    expect(imports.map(checkImport).filter(Boolean)).toEqual([]);
  });

  test.each(FORBIDDEN_IMPORTS)('rejects %s', (_case, from, to, isTypeOnly, reason) => {
    expect(checkImport({ from, to, isTypeOnly })).toMatch(reason);
  });

  test('has no import cycles, not even for types', () => {
    expect(cyclesIn(imports)).toEqual([]);
    const cycle = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
    ] as const;
    expect(cyclesIn(cycle.map(([from, to]) => ({ from, to, isTypeOnly: true })))).toEqual(['b', 'c']);
  });

  test('is checked for every form of import', () => {
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
    expect(importsOf('bin/x.js', "import('../src/cli/main.ts')").map(({ to }) => to)).toEqual(['cli/main.ts']);
  });

  test('is checked for imports of the dashboard by path and by alias', () => {
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

  test('imports test libraries only in test files', () => {
    const users = sourceFiles.filter(file => TEST_LIBRARY.test(read(file)));
    expect(users.map(file => `${file} imports a test library: move it to test/conformance/ or test/harness/`)).toEqual(
      [],
    );
  });

  test('has no source file that only tests import', () => {
    const imported = new Set(imports.map(({ to }) => to));
    const unused = sourceFiles.filter(file => !imported.has(file) && !ENTRY_POINTS.test(file));
    expect(unused.map(file => `${file} is not part of the program: move it to test/harness/`)).toEqual([]);
  });

  test('imports the ssh library in one folder only', () => {
    const users = sourceFiles.filter(file => /from 'ssh2'/.test(read(file)));
    expect(users.every(file => file.startsWith('drivers/transport/ssh/'))).toBe(true);
  });

  test('imports OpenTelemetry in one folder only, and loads it on demand', () => {
    const users = sourceFiles.filter(file => /from '@opentelemetry/.test(read(file)));
    expect(users.filter(file => !file.startsWith('server/tracing/'))).toEqual([]);
    const isLoading = /^import (?!type)[^;]*from '[^']*open-telemetry\.ts'/m;
    expect(sourceFiles.filter(file => isLoading.test(read(file)))).toEqual([]);
  });

  test('keeps domain pure: no clock, randomness, input or output', () => {
    const impure =
      /Date\.now|new Date\(\)|performance\.|Math\.random|randomBytes|node:(fs|net|http|https|child_process|timers)/;
    const rules = sourceFiles.filter(file => file.startsWith('domain/'));
    expect(rules.filter(file => impure.test(read(file)))).toEqual([]);
  });

  test('inspects thrown values only with the functions for it', () => {
    const manualCheck = /\bas Error\b|'code' in \w+ (?:\?|&& \w+\.code\b)/;
    expect(sourceFiles.filter(file => manualCheck.test(read(file)))).toEqual([]);
  });

  test('has no vague file names', () => {
    const isVague = (file: string) =>
      /(^|[/-])(utils?|helpers?|common|types|manager|handler|base|impl)\.ts$/.test(file);
    // A term of the specification.
    const isSpecified = (file: string) => file.endsWith('container-manager.ts');
    expect(sourceFiles.filter(file => isVague(file) && !isSpecified(file))).toEqual([]);
  });

  test('has no source file with more than 300 lines', () => {
    expect(sourceFiles.filter(file => linesIn(read(file)) > 300)).toEqual([]);
  });

  test('has no test file with more than 400 lines', () => {
    const tests = ['src', 'test', 'web'].flatMap(filesIn).filter(file => /\.test\.tsx?$/.test(file));
    expect(tests.length).toBeGreaterThan(100);
    expect(tests.filter(file => linesIn(readFileSync(path.join(root, file), 'utf8')) > 400)).toEqual([]);
  });
});
