// What is built of the dashboard, and what it may weigh.

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildWeb } from '../../tools/build/web.js';
import { firstLoad } from '../harness/browser/first-load.ts';
import { PROJECT } from '../harness/programs/process.ts';
import type { WrittenFolder } from '../harness/written-folder.ts';
import { writtenFolder } from '../harness/written-folder.ts';

/** What a first visit may load, compressed. */
const BUDGET_BYTES = 250_000;

const readJson = (file: string) => JSON.parse(readFileSync(path.join(PROJECT, file), 'utf8'));

describe('the dashboard', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await buildWeb(PROJECT);
  });

  test('is small at the first visit', () => {
    const files = firstLoad(folder);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const list = files.map(file => `${file.bytes} ${file.name}`).join('\n');
    expect(files.length, list).toBeGreaterThan(2);
    expect(bytes, `more than ${BUDGET_BYTES} bytes are loaded:\n${list}`).toBeLessThanOrEqual(BUDGET_BYTES);
  });

  test('has all its assets under names that hold a digest', () => {
    const names = readdirSync(path.join(folder, 'assets'));
    expect(names.filter(name => !/-[\w-]{8}\.\w+(\.br|\.gz)?$/.test(name))).toEqual([]);
  });

  test('brings none of its packages among those of the service', () => {
    const { packages } = readJson('package-lock.json');
    const { dependencies, devDependencies } = readJson('web/package.json');
    const isInstalled = (name: string) => packages[`node_modules/${name}`] !== undefined;
    // The test runner brings vite along.
    const isShipped = (name: string) => isInstalled(name) && packages[`node_modules/${name}`].dev !== true;
    expect(Object.keys(dependencies).length).toBeGreaterThan(0);
    expect(Object.keys(dependencies).filter(isInstalled)).toEqual([]);
    expect(Object.keys(devDependencies).filter(isShipped)).toEqual([]);
    expect(packages['web']).toBeUndefined();
  });
});

test('what is loaded at first is the page, its scripts, what these import at once, and styles', () => {
  const html = `<link rel="icon" href="/assets/icon.svg"><link rel="stylesheet" crossorigin href="/assets/a.css">
    <script type="module" crossorigin src="/assets/a.js"></script><link rel="modulepreload" href="/assets/b.js">`;
  const { folder, remove } = writtenFolder({
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
  expect(firstLoad(folder).map(({ name, bytes }) => `${name} ${bytes}`)).toEqual([
    `index.html ${html.length}`,
    'assets/a.css 1',
    'assets/a.js 3',
    'assets/b.js 1',
    'assets/c.js 21',
    'assets/d.js 21',
  ]);
});

describe('a build', () => {
  /** A checkout whose dashboard is built by a script of a line. */
  function checkoutWith(build: string): WrittenFolder {
    const checkout = writtenFolder({
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
  const inside = ({ folder }: WrittenFolder, name: string) => path.join(folder, name);
  const builds = (checkout: WrittenFolder) =>
    readFileSync(inside(checkout, 'count'), 'utf8').split('\n').length - 1;

  test('is made once for the same sources, and again when any of them changes', async () => {
    const checkout = checkoutWith('sh build.sh');
    const built = await buildWeb(checkout.folder);
    expect(readdirSync(built).sort()).toEqual([
      'assets',
      'built.json',
      'index.html',
      'index.html.br',
      'index.html.gz',
    ]);
    // It would not get smaller.
    expect(readdirSync(path.join(built, 'assets'))).toEqual(['x.js']);
    await buildWeb(checkout.folder);
    expect(builds(checkout)).toBe(1);
    checkout.write({ 'src/contract/dashboard-pages.ts': '2' });
    await buildWeb(checkout.folder);
    checkout.write({ 'web/src/new.ts': '' });
    await buildWeb(checkout.folder);
    checkout.write({ 'web/node_modules/some/file.js': '' });
    await buildWeb(checkout.folder);
    expect(builds(checkout)).toBe(3);
    expect(readdirSync(inside(checkout, 'dist'))).toEqual(['web']);
  });

  test('that fails leaves the one of before as it was', async () => {
    const checkout = checkoutWith('sh build.sh');
    const built = await buildWeb(checkout.folder);
    checkout.write({ 'web/build.sh': 'mkdir -p "$HOSTLER_WEB_OUT"; exit 3' });
    await expect(buildWeb(checkout.folder)).rejects.toThrow(/"npm run" in web\/ failed: .* 3$/);
    expect(existsSync(path.join(built, 'index.html'))).toBe(true);
    expect(readdirSync(inside(checkout, 'dist'))).toEqual(['web']);
  });
});
