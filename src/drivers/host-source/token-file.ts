import { Secret } from '../../domain/secret.ts';
import { errorMessage } from '../../lib/errors.ts';
import { readRegularFile } from '../../lib/files.ts';

const MAX_BYTES = 65_536;

/** Read for each use, because tokens are rotated while the server runs. */
export async function readTokenFile(path: string): Promise<Secret> {
  const content = await readRegularFile(path, MAX_BYTES).catch(error => {
    throw new Error(`token_path: ${errorMessage(error)}`);
  });
  const token = content.trim();
  // Rejects characters that are not allowed in a header; the error of the HTTP client would quote the token.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error(`token_path: ${path} must contain a token on one line`);
  return new Secret(token);
}
