// What `npm pack` puts into the package, as far as that can be told without building it. package.long.test.ts installs it.

import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { bundleServer, SERVER_FOLDER } from '../../tools/build/server.js';
import { createShrinkwrap } from '../../tools/build/shrinkwrap.js';
import { PROJECT } from '../harness/programs/process.ts';

const runsOn = Object.keys(manifest.dependencies);

describe('the server as it is packed', () => {
  let files: ReadonlyMap<string, Uint8Array>;
  const scripts = () =>
    [...files].filter(([name]) => name.endsWith('.js')).map(([, content]) => Buffer.from(content).toString());
  const found = (pattern: RegExp) => [
    ...new Set(scripts().flatMap(text => [...text.matchAll(pattern)].map(([, name = '']) => name))),
  ];
  beforeAll(async () => {
    files = await bundleServer(PROJECT);
  });

  test('has beside it all that it opens by a place of its own', () => {
    const opened = found(/new URL\("([^"]+)", import\.meta\.url\)/g);
    expect(opened).toEqual(expect.arrayContaining(['../../package.json', 'enrol.sh', 'yaml-worker.js']));
    const packed = ['package.json', ...manifest.files];
    const isThere = (name: string) => files.has(name) || packed.includes(path.join(SERVER_FOLDER, name));
    expect(opened.filter(name => !isThere(name))).toEqual([]);
    // Nothing is found in another way.
    expect(found(/import\.meta\.(dirname|filename)/g)).toEqual([]);
  });

  test('imports nothing but itself, Node and the packages that come along', () => {
    const imported = found(/(?:^import |^\} from |^import .* from |\bimport\()"([\w@./:-]+)"/gm);
    const known = (name: string) =>
      files.has(name.replace(/^\.\//, '')) ||
      builtinModules.includes(name.replace(/^node:/, '')) ||
      runsOn.some(each => name === each || name.startsWith(`${each}/`));
    expect(imported.length).toBeGreaterThan(20);
    expect(imported.filter(name => !known(name))).toEqual([]);
  });

  test('has maps that name its sources, and does not carry them', () => {
    const map = JSON.parse(Buffer.from(files.get('main.js.map') ?? []).toString());
    expect(map.sources).toContain('../../src/server/main.ts');
    expect(map.sourcesContent).toBe(undefined);
  });
});

test('what is beside the program is explained, folder by folder', () => {
  const contrib = path.join(PROJECT, 'contrib');
  const folders = readdirSync(contrib, { withFileTypes: true }).filter(entry => entry.isDirectory());
  const explained = [
    ...readFileSync(path.join(contrib, 'README.md'), 'utf8').matchAll(/^\| `([a-z]+)\/` \|/gm),
  ];
  expect(explained.map(([, name]) => name).sort()).toEqual(folders.map(({ name }) => name).sort());
});

describe('what the package is installed with', () => {
  const lock = JSON.parse(readFileSync(path.join(PROJECT, 'package-lock.json'), 'utf8'));
  const { packages } = createShrinkwrap(lock) as {
    packages: Record<string, { version?: string; dev?: true }>;
  };

  test('is every package that runs, at the version that was tested, and none of development', () => {
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect(packages[`node_modules/${name}`]).toMatchObject({ version });
    const names = Object.keys(packages);
    expect(names).toContain('node_modules/fast-uri');
    expect(names.filter(name => /runtime|esbuild|node-linux|vitest|typescript|@types/.test(name))).toEqual(
      [],
    );
    expect(names.filter(name => packages[name]?.dev)).toEqual([]);
  });

  test('has scripts of installation only in packages that the document names', () => {
    const all: Record<string, { hasInstallScript?: true }> = lock.packages;
    const scripted = Object.keys(all).filter(place => all[place]?.hasInstallScript);
    const document = readFileSync(path.join(PROJECT, 'docs/reference/dependencies.md'), 'utf8');
    const [, section = ''] = document.split('### Scripts\n');
    const names = scripted.map(place => place.replace('node_modules/', ''));
    expect(names).not.toEqual([]);
    expect(names.filter(name => !section.split('\n\n', 2).join().includes(`\`${name}\``))).toEqual([]);
  });

  test('has a hash of each', () => {
    const { '': own, ...others } = packages;
    expect(own).toMatchObject({ version: manifest.version });
    for (const each of Object.values(others)) expect(each).toHaveProperty('integrity');
  });
});
