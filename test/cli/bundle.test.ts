import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findClientBundle } from '../../bin/launcher.js';
import { buildCli, bundleCli } from '../../tools/build/cli.js';
import { listen } from '../harness/listen.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');

function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What the client may be made of. All else is code of the service, or what a service is made with. */
const OF_THE_CLIENT =
  /^(bin\/client-main\.ts|package\.json|src\/(cli|sdk|contract|lib)\/|src\/domain\/(defaults|vocabulary)\.ts|node_modules\/(commander|typebox|yaml)\/)/;

/** Of each of these an import loads far more than is used of it, in a tenth of a second: `process.getBuiltinModule` does not. */
const SLOW = ['node:crypto', 'node:http', 'node:https', 'node:tls'];

describe('the bundle of the client', () => {
  let bundle: Awaited<ReturnType<typeof bundleCli>>;
  const textOf = (name: string) =>
    bundle.files.find(({ path: at }) => path.basename(at) === name)?.text ?? '';
  beforeAll(async () => {
    bundle = await bundleCli(PROJECT);
  });

  test('has nothing of the service in it', () => {
    expect(bundle.inputs.filter(file => !OF_THE_CLIENT.test(file))).toEqual([]);
    expect(bundle.inputs).toContain('src/cli/main.ts');
  });

  test('loads nothing at its start that takes long', () => {
    const atStart = [...textOf(bundle.entry).matchAll(/\bfrom ?"([^"]+)"/g)].map(([, name = '']) => name);
    expect(atStart).toContain('node:fs');
    expect(atStart.filter(name => SLOW.includes(name))).toEqual([]);
    // YAML and schemas are most of the code, and seldom needed.
    expect(textOf(bundle.entry)).not.toMatch(/class (Composer|Lexer)\b|TypeBox/);
  });

  test('asks a service as the sources do, and loads what it needs later', async () => {
    const asked: string[] = [];
    const server = createServer(({ method, url, headers }, response) => {
      asked.push(`${method} ${url} ${headers.authorization ? 'with' : 'without'} a password`);
      response.setHeader('content-type', 'application/json').end('[]');
    });
    onTestFinished(() => void server.close());
    const port = await listen(server);

    const folder = temporaryFolder('hostler-bundle-');
    for (const { path: at, contents } of bundle.files)
      writeFileSync(path.join(folder, path.basename(at)), contents);
    writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
    const script = `import(${JSON.stringify(path.join(folder, bundle.entry))}).then(({ run }) => run(['network', 'list', '-o', 'yaml']))`;
    const child = spawn(process.execPath, ['-e', script], {
      env: { HOME: folder, HOSTLER_URL: `http://127.0.0.1:${port}`, HOSTLER_PASSWORD: 'secret' },
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect({ stdout, stderr }).toEqual({ stdout: '[]\n', stderr: '' });
    expect(asked).toEqual(['GET /api/v0/networks/ with a password']);
  });
});

describe('a bundle', () => {
  /** A checkout with a client of one line. */
  function makeCheckout() {
    const root = temporaryFolder('hostler-checkout-');
    const write = (file: string, content: string) => writeFileSync(path.join(root, file), content);
    for (const folder of ['bin', 'src/contract']) mkdirSync(path.join(root, folder), { recursive: true });
    write(
      'src/contract/index.ts',
      "export const routes = { get: { method: 'GET', path: '/', answer: {} } };",
    );
    write('bin/said.ts', "export const said: string = 'one';");
    write(
      'bin/client-main.ts',
      "import { routes } from '../src/contract/index.ts';\nimport { said } from './said.ts';\nexport const run = () => said + Object.keys(routes);",
    );
    const before = new Date(Date.now() - 60_000);
    for (const file of ['src/contract/index.ts', 'bin/said.ts', 'bin/client-main.ts'])
      utimesSync(path.join(root, file), before, before);
    return { root, write };
  }

  const runAt = async (entry: string | undefined): Promise<unknown> => (await import(entry ?? '')).run();

  test('is used until one of its sources is changed, and then built again', async () => {
    const { root, write } = makeCheckout();
    expect(findClientBundle(root)).toBe(undefined);
    const first = await buildCli(root);
    expect(findClientBundle(root)).toBe(first);
    expect(await buildCli(root)).toBe(first);
    expect(await runAt(first)).toBe('oneget');

    write('bin/said.ts', "export const said: string = 'two';");
    utimesSync(path.join(root, 'bin/said.ts'), new Date(0), new Date(0));
    expect(findClientBundle(root)).toBe(undefined);
    const second = await buildCli(root);
    expect(findClientBundle(root)).toBe(second);
    expect(await runAt(second)).toBe('twoget');
    // Whoever has begun with the first may still load parts of it.
    expect(await runAt(`${first}?again`)).toBe('oneget');
  });

  test('is not used when a source is gone, or was changed while it was built', async () => {
    const { root } = makeCheckout();
    const later = new Date(Date.now() + 60_000);
    utimesSync(path.join(root, 'bin/said.ts'), later, later);
    await buildCli(root);
    expect(findClientBundle(root)).toBe(undefined);

    const before = new Date(Date.now() - 60_000);
    utimesSync(path.join(root, 'bin/said.ts'), before, before);
    await buildCli(root);
    expect(findClientBundle(root)).not.toBe(undefined);
    rmSync(path.join(root, 'src/contract/index.ts'));
    expect(findClientBundle(root)).toBe(undefined);
  });

  test('is all that there is in an installed package', async () => {
    const { root } = makeCheckout();
    await buildCli(root);
    const installed = path.join(temporaryFolder('hostler-installed-'), 'node_modules/hostler');
    cpSync(path.join(root, 'dist'), path.join(installed, 'dist'), { recursive: true });
    expect(await runAt(findClientBundle(installed))).toBe('oneget');
  });
});
