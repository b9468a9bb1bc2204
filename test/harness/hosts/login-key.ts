import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stripKeyComment } from '../../../src/domain/hosts/host-key.ts';
import { runFolder } from './run-folder.ts';
import { runTool } from './run-tool.ts';

export interface LoginKey {
  /** As hosts are enrolled with it. */
  readonly privateKeyBase64: string;
  /** Without a comment. */
  readonly publicKey: string;
  /** For the `ssh` of this machine. */
  readonly file: string;
}

export async function makeKey(file: string, type: string): Promise<string> {
  mkdirSync(path.dirname(file), { recursive: true });
  await runTool(['ssh-keygen', '-q', '-t', type, '-N', '', '-C', '', '-f', file]);
  return stripKeyComment(readFileSync(`${file}.pub`, 'utf8').trim());
}

async function make(): Promise<LoginKey> {
  const { folder } = await runFolder();
  const file = path.join(folder, 'login', 'key');
  const publicKey = await makeKey(file, 'ed25519');
  return { privateKeyBase64: readFileSync(file).toString('base64'), publicKey, file };
}

let made: Promise<LoginKey> | undefined;

/** Every host of this process lets in root and all its users by this key. */
export function loginKey(): Promise<LoginKey> {
  made ??= make();
  return made;
}
