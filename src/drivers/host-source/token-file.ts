import { Secret } from '../../domain/secret.ts';
import { errorMessage } from '../../lib/errors.ts';
import { readRegularFile } from '../../lib/files.ts';

const MAX_BYTES = 65_536;

/** Read anew each time: tokens are replaced while we run. */
export async function readTokenFile(path: string): Promise<Secret> {
  const content = await readRegularFile(path, MAX_BYTES).catch(error => {
    throw new Error(`token_path: ${errorMessage(error)}`);
  });
  const token = content.trim();
  // What a header cannot carry; the message of whoever tries would quote it.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error(`token_path: ${path} must contain a token on one line`);
  return new Secret(token);
}
