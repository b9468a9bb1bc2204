// What we stand on is known: every package and program has a reason, and every licence is one that we may pass on.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dependencyGroups, listPackages } from '../tools/dependencies/dependency-tables.ts';
import { isAllowed, parseLicence } from '../tools/dependencies/licences.ts';
import { readLicence, toPackageName } from '../tools/dependencies/lockfile.ts';
import { INSTALLED_FOR_TESTS, RUN_BY_HOSTLER } from '../tools/dependencies/programs.ts';
import { BENCH_PACKAGES, LONG_TEST_PACKAGES, TEST_PACKAGES } from '../tools/setup/system-packages.js';
import { keepingSizes } from './harness/documents/dependency-document.ts';

const root = path.resolve(import.meta.dirname, '..');

describe.each(dependencyGroups())('the packages of the $title', group => {
  test('have a reason each, and none is left of one that has gone', () => {
    expect(Object.keys(group.reasons).sort(), 'write it into tools/dependencies/reasons.ts').toEqual(
      group.direct.map(({ name }) => name).sort(),
    );
  });

  test('have licences that allow what we do, also those that come along', () => {
    const refused = [...listPackages(group)].flatMap(([lockfile, packages]) =>
      [...packages.keys()]
        .map(place => ({ name: toPackageName(place), licence: readLicence(lockfile, place) }))
        .filter(({ licence }) => !isAllowed(licence, group.isTool)),
    );
    expect(refused, 'tools/dependencies/licences.ts has those that are allowed').toEqual([]);
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
])('the licence %s is judged (a tool: %s; allowed: %s)', (licence, isTool, isFine) => {
  expect(isAllowed(licence, isTool)).toBe(isFine);
});

test.each([
  [{ license: 'MIT' }, 'MIT'],
  [{ license: { type: 'ISC' } }, 'ISC'],
  [{ licenses: [{ type: 'MIT' }, { type: 'Apache-2.0' }] }, 'MIT OR Apache-2.0'],
  [{}, 'none'],
])('the licence is read from %j', (manifest, licence) => {
  expect(parseLicence(manifest)).toBe(licence);
});

test('what comes along is found, from where it is and not from elsewhere', () => {
  const [server] = dependencyGroups();
  const { lockfile, location } = server?.direct.find(({ name }) => name === 'fastify') ?? {};
  const brought = [...(lockfile?.listRequired(location ?? '') ?? [])].map(toPackageName);
  expect(brought).toEqual(expect.arrayContaining(['fastify', 'find-my-way', 'pino', 'ret']));
  expect(brought).not.toContain('ssh2');
});

describe('the size of a package', () => {
  const tableOf = (size: string | undefined) => ({
    heads: ['package', 'version', 'size', 'why'],
    rows: [{ before: ['`pg`', '8.0.0'], size: () => size, after: ['asks'] }],
  });

  test('that is written stays, as long as what is before it is the same', () => {
    const text = '\n| `pg` | 8.0.0 | 0.5 MB | asked |\n';
    expect(keepingSizes(text, tableOf('0.6 MB'))).toContain('| `pg` | 8.0.0 | 0.5 MB | asks |');
    expect(keepingSizes(text.replace('8.0.0', '7.0.0'), tableOf('0.6 MB'))).toContain('0.6 MB');
  });

  test('is not written where it is not installed: it would stay so', () => {
    expect(() => keepingSizes('', tableOf(undefined))).toThrow('the size of `pg` cannot be written');
    expect(readFileSync(path.join(root, 'docs/reference/dependencies.md'), 'utf8')).not.toContain(
      'not installed |',
    );
  });
});

describe('the programs of the system', () => {
  test('that Hostler runs are all told of', () => {
    const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map(file => readFileSync(path.join(root, 'src', file), 'utf8'));
    const run = sources.flatMap(source =>
      [...source.matchAll(/\b(?:spawn|execFile)\('([^']+)'/g)].map(([, name = '']) => name),
    );
    expect(RUN_BY_HOSTLER.map(({ name }) => name).sort()).toEqual([...new Set(run)].sort());
  });

  test('that are installed for tests have a reason each', () => {
    const installed = [TEST_PACKAGES, LONG_TEST_PACKAGES, BENCH_PACKAGES].flat().map(({ name }) => name);
    expect(Object.keys(INSTALLED_FOR_TESTS).sort(), 'write it into tools/dependencies/programs.ts').toEqual(
      [...new Set(installed)].sort(),
    );
  });
});
