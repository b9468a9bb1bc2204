// Contents of the package, as far as they can be checked without building it. package.long.test.ts installs
// it.

import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { bundleServer, SERVER_FOLDER } from '../../tools/build/server.js';
import { createShrinkwrap } from '../../tools/build/shrinkwrap.js';
import { PROJECT } from '../harness/programs/process.ts';

const dependencies = Object.keys(manifest.dependencies);

describe('the packed server', () => {
  let files: ReadonlyMap<string, Uint8Array>;
  const scripts = () =>
    [...files].filter(([name]) => name.endsWith('.js')).map(([, content]) => Buffer.from(content).toString());
  const matchesOf = (pattern: RegExp) => [
    ...new Set(scripts().flatMap(text => [...text.matchAll(pattern)].map(([, name = '']) => name))),
  ];
  beforeAll(async () => {
    files = await bundleServer(PROJECT);
  });

  test('contains every file that it opens by URL', () => {
    const opened = matchesOf(/new URL\("([^"]+)", import\.meta\.url\)/g);
    expect(opened).toEqual(expect.arrayContaining(['../../package.json', 'enrol.sh', 'yaml-worker.js']));
    const packed = ['package.json', ...manifest.files];
    const exists = (name: string) => files.has(name) || packed.includes(path.join(SERVER_FOLDER, name));
    expect(opened.filter(name => !exists(name))).toEqual([]);
    // No file is located in another way.
    expect(matchesOf(/import\.meta\.(dirname|filename)/g)).toEqual([]);
  });

  test('imports only itself, Node and its dependencies', () => {
    const imported = matchesOf(/(?:^import |^\} from |^import .* from |\bimport\()"([\w@./:-]+)"/gm);
    const isKnown = (name: string) =>
      files.has(name.replace(/^\.\//, '')) ||
      builtinModules.includes(name.replace(/^node:/, '')) ||
      dependencies.some(entry => name === entry || name.startsWith(`${entry}/`));
    expect(imported.length).toBeGreaterThan(20);
    expect(imported.filter(name => !isKnown(name))).toEqual([]);
  });

  test('has source maps without source contents', () => {
    const map = JSON.parse(Buffer.from(files.get('main.js.map') ?? []).toString());
    expect(map.sources).toContain('../../src/server/main.ts');
    expect(map.sourcesContent).toBe(undefined);
  });
});

test('contrib/README.md explains each folder', () => {
  const contrib = path.join(PROJECT, 'contrib');
  const folders = readdirSync(contrib, { withFileTypes: true }).filter(entry => entry.isDirectory());
  const explained = [...readFileSync(path.join(contrib, 'README.md'), 'utf8').matchAll(/^\| `([a-z]+)\/` \|/gm)];
  expect(explained.map(([, name]) => name).sort()).toEqual(folders.map(({ name }) => name).sort());
});

describe('the shrinkwrap', () => {
  const lock = JSON.parse(readFileSync(path.join(PROJECT, 'package-lock.json'), 'utf8'));
  const { packages } = createShrinkwrap(lock) as {
    packages: Record<string, { version?: string; dev?: true }>;
  };

  test('contains every runtime package at the tested version and no development packages', () => {
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect(packages[`node_modules/${name}`]).toMatchObject({ version });
    const names = Object.keys(packages);
    expect(names).toContain('node_modules/fast-uri');
    expect(names.filter(name => /runtime|esbuild|node-linux|vitest|typescript|@types/.test(name))).toEqual([]);
    expect(names.filter(name => packages[name]?.dev)).toEqual([]);
  });

  test('has install scripts only in packages that dependencies.md names', () => {
    const all: Record<string, { hasInstallScript?: true }> = lock.packages;
    const scripted = Object.keys(all).filter(folder => all[folder]?.hasInstallScript);
    const document = readFileSync(path.join(PROJECT, 'docs/reference/dependencies.md'), 'utf8');
    const [, section = ''] = document.split('### Scripts\n');
    const names = scripted.map(folder => folder.replace('node_modules/', ''));
    expect(names).not.toEqual([]);
    expect(names.filter(name => !section.split('\n\n', 2).join().includes(`\`${name}\``))).toEqual([]);
  });

  test('has a hash for each package', () => {
    const { '': rootPackage, ...others } = packages;
    expect(rootPackage).toMatchObject({ version: manifest.version });
    for (const entry of Object.values(others)) expect(entry).toHaveProperty('integrity');
  });
});
