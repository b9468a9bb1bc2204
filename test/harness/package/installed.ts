import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { runTool } from '../hosts/run-tool.ts';
import { folderOfTests } from './folder-of-tests.ts';
import { packed } from './packed.ts';
import { registryAccess } from './registry-access.ts';

export interface Installed {
  /** Where npm has put it: `bin` and `lib` are in here. */
  readonly prefix: string;
  /** The path of a machine that has Node, npm and a shell, and no compiler. */
  readonly path: string;
}

async function install(): Promise<Installed> {
  const { tarball } = await packed();
  const folder = folderOfTests('hostler-installed-');
  const [bin, prefix, home] = ['bin', 'prefix', 'home'].map(name => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [bin, prefix, home]) mkdirSync(each);
  const npm = realpathSync((await runTool(['sh', '-c', 'command -v npm'])).trim());
  const programs = { node: realpathSync(process.execPath), npm, sh: '/bin/sh' };
  for (const [name, target] of Object.entries(programs)) symlinkSync(target, path.join(bin, name));
  // Nothing of this checkout's settings, nor of whoever runs the tests.
  const environment = { HOME: home, PATH: bin, ...registryAccess() };
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  await runTool([
    ...(['/usr/bin/env', '-i', '-C', home, ...variables] as const),
    ...['npm', 'install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', tarball],
  ]);
  return { prefix, path: `${path.join(prefix, 'bin')}:${bin}` };
}

let made: Promise<Installed> | undefined;

/** Once for each process. */
export const installed = (): Promise<Installed> => {
  made ??= install();
  return made;
};
