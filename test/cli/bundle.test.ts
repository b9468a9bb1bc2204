import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findClientBundle } from '../../bin/launcher.js';
import { buildCli, bundleCli } from '../../tools/build/cli.js';
import { listen } from '../harness/http/sockets.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');

function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Files that may be part of the client. All others belong to the server or its build. */
const CLIENT_FILES =
  /^(bin\/(client-main\.ts|server-commands\.js)|package\.json|src\/(cli|sdk|contract|lib)\/|src\/domain\/(defaults|timestamp|vocabulary)\.ts|node_modules\/(commander|json-p3|typebox|yaml)\/)/;

/** Importing these modules takes a tenth of a second. `process.getBuiltinModule` loads them on demand. */
const SLOW_MODULES = ['node:crypto', 'node:http', 'node:https', 'node:tls'];

describe('CLI bundle', () => {
  let bundle: Awaited<ReturnType<typeof bundleCli>>;
  const textOf = (name: string) => bundle.files.find(({ path: at }) => path.basename(at) === name)?.text ?? '';
  beforeAll(async () => {
    bundle = await bundleCli(PROJECT);
  });

  test('contains no server code', () => {
    expect(bundle.inputs.filter(file => !CLIENT_FILES.test(file))).toEqual([]);
    expect(bundle.inputs).toContain('src/cli/main.ts');
  });

  test('imports no slow modules at startup', () => {
    const imported = [...textOf(bundle.entry).matchAll(/\bfrom ?"([^"]+)"/g)].map(([, name = '']) => name);
    expect(imported).toContain('node:fs');
    expect(imported.filter(name => SLOW_MODULES.includes(name))).toEqual([]);
    // YAML, JSONPath and the schemas are most of the code and seldom needed.
    expect(textOf(bundle.entry)).not.toMatch(/class (Composer|Lexer|JSONPathEnvironment)\b|TypeBox/);
  });

  test('sends the same requests as the sources and loads chunks on demand', async () => {
    const requests: string[] = [];
    const server = createServer(({ method, url, headers }, response) => {
      requests.push(`${method} ${url} ${headers.authorization ? 'with' : 'without'} a password`);
      response.setHeader('content-type', 'application/json').end('[]');
    });
    onTestFinished(() => void server.close());
    const port = await listen(server);

    const folder = temporaryFolder('hostler-bundle-');
    for (const { path: at, contents } of bundle.files) writeFileSync(path.join(folder, path.basename(at)), contents);
    writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
    const script = `import(${JSON.stringify(path.join(folder, bundle.entry))}).then(({ run }) => run(['network', 'list', '-o', 'yaml']))`;
    const child = spawn(process.execPath, ['-e', script], {
      env: { HOME: folder, HOSTLER_URL: `http://127.0.0.1:${port}`, HOSTLER_PASSWORD: 'secret' },
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect({ stdout, stderr }).toEqual({ stdout: '[]\n', stderr: '' });
    expect(requests).toEqual(['GET /api/v0/networks/?extended=true with a password']);
  });
});

describe('findClientBundle', () => {
  /** Creates a checkout with a minimal client. */
  function makeCheckout() {
    const root = temporaryFolder('hostler-checkout-');
    const write = (file: string, content: string) => writeFileSync(path.join(root, file), content);
    for (const folder of ['bin', 'src/contract']) mkdirSync(path.join(root, folder), { recursive: true });
    write('src/contract/index.ts', "export const routes = { get: { method: 'GET', path: '/', response: {} } };");
    write('bin/text.ts', "export const text: string = 'one';");
    write(
      'bin/client-main.ts',
      "import { routes } from '../src/contract/index.ts';\nimport { text } from './text.ts';\nexport const run = () => text + Object.keys(routes);",
    );
    const before = new Date(Date.now() - 60_000);
    for (const file of ['src/contract/index.ts', 'bin/text.ts', 'bin/client-main.ts'])
      utimesSync(path.join(root, file), before, before);
    return { root, write };
  }

  const runAt = async (entry: string | undefined): Promise<unknown> => (await import(entry ?? '')).run();

  test('returns the bundle until a source changes, and the new one after a build', async () => {
    const { root, write } = makeCheckout();
    expect(findClientBundle(root)).toBe(undefined);
    const first = await buildCli(root);
    expect(findClientBundle(root)).toBe(first);
    expect(await buildCli(root)).toBe(first);
    expect(await runAt(first)).toBe('oneget');

    write('bin/text.ts', "export const text: string = 'two';");
    utimesSync(path.join(root, 'bin/text.ts'), new Date(0), new Date(0));
    expect(findClientBundle(root)).toBe(undefined);
    const second = await buildCli(root);
    expect(findClientBundle(root)).toBe(second);
    expect(await runAt(second)).toBe('twoget');
    // A running process can still load chunks of the first bundle.
    expect(await runAt(`${first}?again`)).toBe('oneget');
  });

  test('returns nothing if a source is missing or changed during the build', async () => {
    const { root } = makeCheckout();
    const later = new Date(Date.now() + 60_000);
    utimesSync(path.join(root, 'bin/text.ts'), later, later);
    await buildCli(root);
    expect(findClientBundle(root)).toBe(undefined);

    const before = new Date(Date.now() - 60_000);
    utimesSync(path.join(root, 'bin/text.ts'), before, before);
    await buildCli(root);
    expect(findClientBundle(root)).not.toBe(undefined);
    rmSync(path.join(root, 'src/contract/index.ts'));
    expect(findClientBundle(root)).toBe(undefined);
  });

  test('returns the bundle of an installed package without sources', async () => {
    const { root } = makeCheckout();
    await buildCli(root);
    const installed = path.join(temporaryFolder('hostler-installed-'), 'node_modules/hostler');
    cpSync(path.join(root, 'dist'), path.join(installed, 'dist'), { recursive: true });
    expect(await runAt(findClientBundle(installed))).toBe('oneget');
  });
});
