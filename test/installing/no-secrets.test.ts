// Keys and passwords in the checkout must not get into the package or the image.

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { PROJECT } from '../harness/programs/process.ts';
import { createTempFolder } from '../harness/temp-folders.ts';

const SECRETS = [
  'contrib/container/.env',
  'contrib/container/compose.env',
  'contrib/container/secret.key',
  'contrib/container/secret.key.before-2026',
  'contrib/examples/key.pem',
  'contrib/systemd/hostler.env',
  'secret.key',
];
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');
const matches = (pattern: string, file: string) => path.matchesGlob(file, pattern);

test('the package contains exactly the tracked files of contrib', () => {
  const { folder: checkout, write, remove } = createTempFolder({});
  onTestFinished(remove);
  for (const name of ['package.json', 'README.md', 'contrib'])
    cpSync(path.join(PROJECT, name), path.join(checkout, name), { recursive: true });
  const tracked = globSync('contrib/**/*', { cwd: checkout, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(checkout, path.join(entry.parentPath, entry.name)))
    .filter(name => !SECRETS.includes(name));
  write(Object.fromEntries(SECRETS.map(name => [name, 'secret'])));
  const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
  const { stdout } = spawnSync('npm', args, { cwd: checkout, encoding: 'utf8' });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const packed = files.map(file => file.path);
  expect(packed.filter(name => SECRETS.includes(name))).toEqual([]);
  expect(packed.filter(name => name.startsWith('contrib/')).sort()).toEqual(tracked.sort());
});

describe('the image', () => {
  test.each(SECRETS)('is built without %s', file => {
    const ignored = read('.dockerignore').split('\n').filter(Boolean);
    expect(ignored.some(pattern => matches(pattern, file))).toBe(true);
  });

  test('needs no secret in the build folder', () => {
    const { secrets } = parse(read('contrib/container/compose.yaml'));
    expect(secrets.secret_key.file).toMatch(/^\$\{SECRET_KEY_FILE:\?/);
    expect(read('contrib/container/compose.yaml')).toContain('--env-file ~/');
  });
});
