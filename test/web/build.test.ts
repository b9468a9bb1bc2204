// Content and size of the dashboard build.

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildWeb } from '../../tools/build/web.js';
import { listInitialFiles } from '../harness/browser/bundle-size.ts';
import { PROJECT } from '../harness/programs/process.ts';
import type { TempFolder } from '../harness/temp-folders.ts';
import { createTempFolder } from '../harness/temp-folders.ts';

/** Compressed size of the first visit. */
const BUDGET_BYTES = 250_000;

const readJson = (file: string) => JSON.parse(readFileSync(path.join(PROJECT, file), 'utf8'));

describe('dashboard build', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await buildWeb(PROJECT);
  });

  test('the first visit loads at most 250 kB', () => {
    const files = listInitialFiles(folder);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const list = files.map(file => `${file.bytes} ${file.name}`).join('\n');
    expect(files.length, list).toBeGreaterThan(2);
    expect(bytes, `the first visit loads more than ${BUDGET_BYTES} bytes:\n${list}`).toBeLessThanOrEqual(BUDGET_BYTES);
  });

  test('all asset names contain a digest', () => {
    const names = readdirSync(path.join(folder, 'assets'));
    expect(names.filter(name => !/-[\w-]{8}\.\w+(\.br|\.gz)?$/.test(name))).toEqual([]);
  });

  test('the dashboard adds no packages to those of the server', () => {
    const { packages } = readJson('package-lock.json');
    const { dependencies, devDependencies } = readJson('web/package.json');
    const isInstalled = (name: string) => packages[`node_modules/${name}`] !== undefined;
    // Vitest depends on vite.
    const isShipped = (name: string) => isInstalled(name) && packages[`node_modules/${name}`].dev !== true;
    expect(Object.keys(dependencies).length).toBeGreaterThan(0);
    expect(Object.keys(dependencies).filter(isInstalled)).toEqual([]);
    expect(Object.keys(devDependencies).filter(isShipped)).toEqual([]);
    expect(packages['web']).toBeUndefined();
  });
});

test('listInitialFiles returns the page, its scripts, their static imports and styles', () => {
  const html = `<link rel="icon" href="/assets/icon.svg"><link rel="stylesheet" crossorigin href="/assets/a.css">
    <script type="module" crossorigin src="/assets/a.js"></script><link rel="modulepreload" href="/assets/b.js">`;
  const { folder, remove } = createTempFolder({
    'index.html': html,
    'assets/icon.svg': '<svg/>',
    'assets/a.css': 'a',
    'assets/a.js': 'import{x}from"./c.js";import"./d.js";const later=()=>import("./e.js");',
    'assets/a.js.br': '123',
    'assets/b.js': '1',
    'assets/c.js': 'export{y}from"./a.js"',
    'assets/d.js': 'import "./nowhere.js"',
    'assets/e.js': 'later',
  });
  onTestFinished(remove);
  expect(listInitialFiles(folder).map(({ name, bytes }) => `${name} ${bytes}`)).toEqual([
    `index.html ${html.length}`,
    'assets/a.css 1',
    'assets/a.js 3',
    'assets/b.js 1',
    'assets/c.js 21',
    'assets/d.js 21',
  ]);
});

describe('buildWeb', () => {
  /** A checkout whose build is a one-line script. */
  function checkoutWith(build: string): TempFolder {
    const checkout = createTempFolder({
      'package-lock.json': '{}',
      'src/contract/dashboard-pages.ts': '1',
      'tools/build/web.js': '1',
      'web/package.json': JSON.stringify({ name: 'web', version: '1.0.0', scripts: { build } }),
      'web/package-lock.json': JSON.stringify({
        ...{ name: 'web', version: '1.0.0', lockfileVersion: 3 },
        packages: { '': { name: 'web', version: '1.0.0' } },
      }),
      'web/build.sh':
        'mkdir -p "$HOSTLER_WEB_OUT/assets"\nseq 1000 > "$HOSTLER_WEB_OUT/index.html"\necho x > "$HOSTLER_WEB_OUT/assets/x.js"\necho built >> ../count\n',
    });
    mkdirSync(path.join(checkout.folder, 'node_modules'));
    symlinkSync(path.join(PROJECT, 'node_modules/.bin'), path.join(checkout.folder, 'node_modules/.bin'));
    onTestFinished(checkout.remove);
    return checkout;
  }
  const pathIn = ({ folder }: TempFolder, name: string) => path.join(folder, name);
  const countBuilds = (checkout: TempFolder) => readFileSync(pathIn(checkout, 'count'), 'utf8').split('\n').length - 1;

  test('builds once for the same sources and again after a change', async () => {
    const checkout = checkoutWith('sh build.sh');
    const built = await buildWeb(checkout.folder);
    expect(readdirSync(built).sort()).toEqual(['assets', 'built.json', 'index.html', 'index.html.br', 'index.html.gz']);
    // The compressed files would not be smaller.
    expect(readdirSync(path.join(built, 'assets'))).toEqual(['x.js']);
    await buildWeb(checkout.folder);
    expect(countBuilds(checkout)).toBe(1);
    checkout.write({ 'src/contract/dashboard-pages.ts': '2' });
    await buildWeb(checkout.folder);
    checkout.write({ 'web/src/new.ts': '' });
    await buildWeb(checkout.folder);
    checkout.write({ 'web/node_modules/some/file.js': '' });
    await buildWeb(checkout.folder);
    expect(countBuilds(checkout)).toBe(3);
    expect(readdirSync(pathIn(checkout, 'dist'))).toEqual(['web']);
  });

  test('keeps the previous build when a build fails', async () => {
    const checkout = checkoutWith('sh build.sh');
    const built = await buildWeb(checkout.folder);
    checkout.write({ 'web/build.sh': 'mkdir -p "$HOSTLER_WEB_OUT"; exit 3' });
    await expect(buildWeb(checkout.folder)).rejects.toThrow(/"npm run" in web\/ failed: .* 3$/);
    expect(existsSync(path.join(built, 'index.html'))).toBe(true);
    expect(readdirSync(pathIn(checkout, 'dist'))).toEqual(['web']);
  });
});
