// The package as people get it: made by `npm pack` from a copy of this checkout, so that nobody who runs this one notices.

import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { runTool } from '../hosts/run-tool.ts';
import { PROJECT } from '../programs/process.ts';
import { folderOfTests } from './folder-of-tests.ts';
import { registryAccess } from './registry-access.ts';

const COPIED = [
  ...[
    'bin',
    'contrib',
    'docs',
    'src',
    'tools',
    'dist/web',
    'package.json',
    'package-lock.json',
    '.npmrc',
    'tsconfig.json',
  ],
  ...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'],
  ...['web/src', 'web/index.html', 'web/package.json', 'web/package-lock.json', 'web/tsconfig.json'],
  ...['web/vite.config.ts', 'web/vite-contract-plugin.ts'],
];

export interface Packed {
  readonly tarball: string;
  /** Its files, by their paths in the package. */
  readonly files: readonly string[];
}

function copyCheckout(): { readonly folder: string; readonly checkout: string } {
  const folder = folderOfTests('hostler-pack-');
  const checkout = path.join(folder, 'checkout');
  for (const name of COPIED)
    if (existsSync(path.join(PROJECT, name)))
      cpSync(path.join(PROJECT, name), path.join(checkout, name), { recursive: true });
  return { folder, checkout };
}

/** In a checkout in which nothing is installed or built. */
export async function packAtFirst(): Promise<string> {
  const { folder, checkout } = copyCheckout();
  for (const built of ['dist', 'web/node_modules'])
    rmSync(path.join(checkout, built), { recursive: true, force: true });
  const said = await runTool(['env', '-C', checkout, 'npm', 'pack', '--pack-destination', folder], {
    env: registryAccess(),
  });
  return path.join(folder, said.trim().split('\n').at(-1) ?? '');
}

async function pack(): Promise<Packed> {
  const { folder, checkout } = copyCheckout();
  for (const modules of ['node_modules', 'web/node_modules'])
    symlinkSync(path.join(PROJECT, modules), path.join(checkout, modules));
  // What the scripts of the package say is in front of it.
  const said = await runTool([
    'npm',
    '--prefix',
    checkout,
    'pack',
    '--json',
    '--pack-destination',
    folder,
    checkout,
  ]);
  const [{ filename, files }] = JSON.parse(said.slice(said.search(/^\[$/m))) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: path.join(folder, filename), files: files.map(file => file.path) };
}

let made: Promise<Packed> | undefined;

/** Once for each process. */
export const packed = (): Promise<Packed> => {
  made ??= pack();
  return made;
};
