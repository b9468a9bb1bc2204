// Every package and program has a reason and a permitted licence.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dependencyGroups, listPackages } from '../tools/dependencies/dependency-tables.ts';
import { isAllowed, parseLicence } from '../tools/dependencies/licences.ts';
import { readLicence, toPackageName } from '../tools/dependencies/lockfile.ts';
import { INSTALLED_FOR_TESTS, RUN_BY_HOSTLER } from '../tools/dependencies/programs.ts';
import { BENCH_PACKAGES, LONG_TEST_PACKAGES, TEST_PACKAGES } from '../tools/setup/system-packages.js';
import { renderWithSizes } from './harness/documents/dependency-tables.ts';

const root = path.resolve(import.meta.dirname, '..');

describe.each(dependencyGroups())('the packages of the $title', group => {
  test('have exactly one reason each', () => {
    expect(Object.keys(group.reasons).sort(), 'add it to tools/dependencies/reasons.ts').toEqual(
      group.direct.map(({ name }) => name).sort(),
    );
  });

  test('have permitted licences, including transitive dependencies', () => {
    const forbidden = [...listPackages(group)].flatMap(([lockfile, packages]) =>
      [...packages.keys()]
        .map(folder => ({ name: toPackageName(folder), licence: readLicence(lockfile, folder) }))
        .filter(({ licence }) => !isAllowed(licence, group.isTool)),
    );
    expect(forbidden, 'tools/dependencies/licences.ts lists the permitted licences').toEqual([]);
  });
});

test.each([
  ['MIT', false, true],
  ['MPL-2.0', false, false],
  ['MPL-2.0', true, true],
  ['GPL-3.0-only', true, false],
  ['(GPL-3.0-only OR MIT)', false, true],
  ['MIT AND GPL-3.0-only', true, false],
  ['MIT AND ISC', false, true],
  ['none', true, false],
])('the licence %s is checked (tool: %s, allowed: %s)', (licence, isTool, expected) => {
  expect(isAllowed(licence, isTool)).toBe(expected);
});

test.each([
  [{ license: 'MIT' }, 'MIT'],
  [{ license: { type: 'ISC' } }, 'ISC'],
  [{ licenses: [{ type: 'MIT' }, { type: 'Apache-2.0' }] }, 'MIT OR Apache-2.0'],
  [{}, 'none'],
])('the licence is read from %j', (manifest, licence) => {
  expect(parseLicence(manifest)).toBe(licence);
});

test('transitive dependencies are found from the location of a package', () => {
  const [server] = dependencyGroups();
  const { lockfile, location } = server?.direct.find(({ name }) => name === 'fastify') ?? {};
  const required = [...(lockfile?.listRequired(location ?? '') ?? [])].map(toPackageName);
  expect(required).toEqual(expect.arrayContaining(['fastify', 'find-my-way', 'pino', 'ret']));
  expect(required).not.toContain('ssh2');
});

describe('the size of a package', () => {
  const tableOf = (size: string | undefined) => ({
    heads: ['package', 'version', 'size', 'why'],
    rows: [{ before: ['`pg`', '8.0.0'], size: () => size, after: ['asks'] }],
  });

  test('is kept while the cells before it are unchanged', () => {
    const text = '\n| `pg` | 8.0.0 | 0.5 MB | asked |\n';
    expect(renderWithSizes(text, tableOf('0.6 MB'))).toContain('| `pg` | 8.0.0 | 0.5 MB | asks |');
    expect(renderWithSizes(text.replace('8.0.0', '7.0.0'), tableOf('0.6 MB'))).toContain('0.6 MB');
  });

  test('is not written if the package is not installed', () => {
    expect(() => renderWithSizes('', tableOf(undefined))).toThrow('cannot measure `pg`');
    expect(readFileSync(path.join(root, 'docs/reference/dependencies.md'), 'utf8')).not.toContain('not installed |');
  });
});

describe('the list of system programs', () => {
  test('contains every program that Hostler runs', () => {
    const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map(file => readFileSync(path.join(root, 'src', file), 'utf8'));
    const run = sources.flatMap(source =>
      [...source.matchAll(/\b(?:spawn|execFile|runProgram)\('([^']+)'/g)].map(([, name = '']) => name),
    );
    expect(RUN_BY_HOSTLER.map(({ name }) => name).sort()).toEqual([...new Set(run)].sort());
  });

  test('has a reason for each program that is installed for tests', () => {
    const installed = [TEST_PACKAGES, LONG_TEST_PACKAGES, BENCH_PACKAGES].flat().map(({ name }) => name);
    expect(Object.keys(INSTALLED_FOR_TESTS).sort(), 'add it to tools/dependencies/programs.ts').toEqual(
      [...new Set(installed)].sort(),
    );
  });
});
