import { readFile } from 'node:fs/promises';
import { Secret } from '../../domain/secret.ts';
import { errorCode } from '../../lib/error-code.ts';

/** Read anew each time: tokens are replaced while we run. */
export async function tokenIn(path: string): Promise<Secret> {
  const content = await readFile(path, 'utf8').catch(error => {
    throw new Error(`token_path: ${path} cannot be read (${errorCode(error) || 'unknown reason'})`);
  });
  const token = content.trim();
  // What a header cannot carry; the message of whoever tries would quote it.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error(`token_path: ${path} holds no token: one line of text`);
  return new Secret(token);
}
