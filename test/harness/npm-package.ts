import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from './programs/process.ts';
import { runTool } from './real-hosts/run-tool.ts';
import { createSuiteFolder } from './temp-folders.ts';

/** Proxy and certificate variables for the npm registry. */
export const registryEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] =>
        /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|https?_proxy|no_proxy)$/i.test(entry[0]) && entry[1] !== undefined,
    ),
  );

// The npm package, created by `npm pack` from a copy of this checkout, so that the checkout is not changed.

const COPIED_PATHS = [
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

export interface PackedPackage {
  readonly tarball: string;
  /** Paths in the package. */
  readonly files: readonly string[];
}

function copyCheckout(): { readonly folder: string; readonly checkout: string } {
  const folder = createSuiteFolder('hostler-pack-');
  const checkout = path.join(folder, 'checkout');
  for (const name of COPIED_PATHS)
    if (existsSync(path.join(PROJECT, name)))
      cpSync(path.join(PROJECT, name), path.join(checkout, name), { recursive: true });
  return { folder, checkout };
}

/** Packs a checkout without installed modules and builds. */
export async function packCleanCheckout(): Promise<string> {
  const { folder, checkout } = copyCheckout();
  for (const built of ['dist', 'web/node_modules'])
    rmSync(path.join(checkout, built), { recursive: true, force: true });
  const output = await runTool(['env', '-C', checkout, 'npm', 'pack', '--pack-destination', folder], {
    env: registryEnvironment(),
  });
  return path.join(folder, output.trim().split('\n').at(-1) ?? '');
}

async function pack(): Promise<PackedPackage> {
  const { folder, checkout } = copyCheckout();
  for (const modules of ['node_modules', 'web/node_modules'])
    symlinkSync(path.join(PROJECT, modules), path.join(checkout, modules));
  // The output of the npm scripts precedes the JSON.
  const output = await runTool(['npm', '--prefix', checkout, 'pack', '--json', '--pack-destination', folder, checkout]);
  const [{ filename, files }] = JSON.parse(output.slice(output.search(/^\[$/m))) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: path.join(folder, filename), files: files.map(file => file.path) };
}

let packing: Promise<PackedPackage> | undefined;

/** Once per process. */
export const getPackedPackage = (): Promise<PackedPackage> => {
  packing ??= pack();
  return packing;
};

export interface InstalledPackage {
  /** Contains `bin` and `lib`. */
  readonly prefix: string;
  /** PATH with Node, npm and a shell but no compiler. */
  readonly path: string;
}

async function install(): Promise<InstalledPackage> {
  const { tarball } = await getPackedPackage();
  const folder = createSuiteFolder('hostler-installed-');
  const [bin, prefix, home] = ['bin', 'prefix', 'home'].map(name => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const directory of [bin, prefix, home]) mkdirSync(directory);
  const npm = realpathSync((await runTool(['sh', '-c', 'command -v npm'])).trim());
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

let installation: Promise<InstalledPackage> | undefined;

/** Once per process. */
export const getInstalledPackage = (): Promise<InstalledPackage> => {
  installation ??= install();
  return installation;
};
