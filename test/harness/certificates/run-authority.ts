import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { runFolder } from '../hosts/run-folder.ts';
import type { Authority } from './certificate-authority.ts';
import { makeAuthority } from './certificate-authority.ts';

const make = async (): Promise<Authority> => {
  const folder = path.join((await runFolder()).folder, 'authority');
  mkdirSync(folder, { mode: 0o700 });
  return makeAuthority(folder);
};

let made: Promise<Authority> | undefined;

/** That of this process, for the servers that it starts. */
export function runAuthority(): Promise<Authority> {
  made ??= make();
  return made;
}
