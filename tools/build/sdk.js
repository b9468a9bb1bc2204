// Builds `hostler/sdk` for the package: one module without imports, and its types, which import those of typebox.
//
//     node tools/build/sdk.js

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLIENT_BUNDLE, CONTRACT, contractForClients, replaceFile } from './cli.js';

const SDK_FOLDER = 'dist/sdk';

/**
 * The compiler is a development dependency, so the packages must be installed with `--dev`.
 *
 * @param {string} root
 */
export async function buildSdk(root) {
  const esbuild = await import('esbuild');
  const contract = await contractForClients(esbuild, root);
  rmSync(path.join(root, SDK_FOLDER), { recursive: true, force: true });
  await esbuild.build({
    ...CLIENT_BUNDLE,
    target: [CLIENT_BUNDLE.target, 'es2024'],
    // It also runs in browsers.
    external: [],
    absWorkingDir: root,
    entryPoints: ['src/sdk/index.ts'],
    outfile: `${SDK_FOLDER}/index.js`,
    write: true,
    plugins: [replaceFile(root, CONTRACT, contract.contents)],
  });
  const compiler = path.join(root, 'node_modules/.bin/tsc');
  const { status, error } = spawnSync(compiler, ['-p', path.join(root, 'tools/build/sdk.tsconfig.json')], {
    stdio: 'inherit',
  });
  if (status !== 0)
    throw new Error(`the types of the SDK cannot be built: ${error?.message ?? `exit status ${status}`}`);
}

if (pathToFileURL(process.argv[1] ?? '').href === import.meta.url) await buildSdk(process.cwd());
