// The npm package, created by `npm pack` from a copy of this checkout, so that the checkout is not changed.

import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from './programs/find-program.ts';
import { PROJECT } from './programs/process.ts';
import { runTool } from './programs/run-tool.ts';

/** Proxy and certificate variables for the npm registry. */
export const registryEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] =>
        /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|https?_proxy|no_proxy)$/i.test(entry[0]) && entry[1] !== undefined,
    ),
  );

const COPIED_PATHS = [
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
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'web/src',
  'web/index.html',
  'web/package.json',
  'web/package-lock.json',
  'web/tsconfig.json',
  'web/vite.config.ts',
  'web/vite-contract-plugin.ts',
  'web/vite-dev-proxy.ts',
];

interface PackedPackage {
  readonly tarball: string;
  /** Paths in the package. */
  readonly files: readonly string[];
}

function copyCheckout(checkout: string): void {
  for (const name of COPIED_PATHS)
    if (existsSync(path.join(PROJECT, name)))
      cpSync(path.join(PROJECT, name), path.join(checkout, name), { recursive: true });
}

async function packCleanCheckout(folder: string): Promise<string> {
  const checkout = path.join(folder, 'clean-checkout');
  copyCheckout(checkout);
  for (const built of ['dist', 'web/node_modules'])
    rmSync(path.join(checkout, built), { recursive: true, force: true });
  const output = await runTool(['env', '-C', checkout, 'npm', 'pack', '--pack-destination', checkout], {
    env: registryEnvironment(),
  });
  return path.join(checkout, output.trim().split('\n').at(-1) ?? '');
}

async function pack(folder: string): Promise<PackedPackage> {
  const checkout = path.join(folder, 'checkout');
  copyCheckout(checkout);
  for (const modules of ['node_modules', 'web/node_modules'])
    symlinkSync(path.join(PROJECT, modules), path.join(checkout, modules));
  // The output of the npm scripts precedes the JSON.
  const output = await runTool(['npm', '--prefix', checkout, 'pack', '--json', '--pack-destination', folder, checkout]);
  const [{ filename, files }] = JSON.parse(output.slice(output.search(/^\[$/m))) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: path.join(folder, filename), files: files.map(file => file.path) };
}

export interface InstalledPackage {
  /** Contains `bin` and `lib`. */
  readonly prefix: string;
  /** PATH with Node, npm and a shell but no compiler. */
  readonly path: string;
}

async function install(tarball: string, folder: string): Promise<InstalledPackage> {
  const [bin, prefix, home] = ['bin', 'prefix', 'home'].map(name => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const directory of [bin, prefix, home]) mkdirSync(directory);
  const npm = realpathSync(findProgram('npm'));
  const programs = { node: realpathSync(process.execPath), npm, sh: '/bin/sh' };
  for (const [name, target] of Object.entries(programs)) symlinkSync(target, path.join(bin, name));
  // Excludes the settings of this checkout and of the user.
  const environment = { HOME: home, PATH: bin, ...registryEnvironment() };
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  await runTool([
    ...(['/usr/bin/env', '-i', '-C', home, ...variables] as const),
    ...['npm', 'install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', tarball],
  ]);
  return { prefix, path: `${path.join(prefix, 'bin')}:${bin}` };
}

export interface NpmPackage {
  /** Packs a checkout without installed modules and builds; returns the tarball. */
  packCleanCheckout(): Promise<string>;
  /** Once per suite. */
  getPacked(): Promise<PackedPackage>;
  /** Once per suite. */
  getInstalled(): Promise<InstalledPackage>;
}

/** The folder exists while the tests of a suite run. */
export function createNpmPackage(folder: () => string): NpmPackage {
  let packing: Promise<PackedPackage> | undefined;
  let installation: Promise<InstalledPackage> | undefined;
  const getPacked = () => {
    packing ??= pack(folder());
    return packing;
  };
  return {
    packCleanCheckout: () => packCleanCheckout(folder()),
    getPacked,
    getInstalled: () => {
      installation ??= getPacked().then(({ tarball }) => install(tarball, folder()));
      return installation;
    },
  };
}
