import { readFileSync } from 'node:fs';
import { errorCode } from '../../lib/error-code.ts';
import { usageProblem } from '../exit-codes.ts';

const HOST_KEY = /^(?:ssh-|ecdsa-sha2-)\S+ [A-Za-z0-9+/]+={0,2}(?: .*)?$/;

/** The public keys of a host in a file, one in each line. */
export function readHostKeyFile(file: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageProblem(`${file} cannot be read (${errorCode(error)}); name a file with a host's public key`);
  }
  const lines = text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
  if (lines.length === 0 || !lines.every(line => HOST_KEY.test(line)))
    throw usageProblem(
      `${file} has no public key of a host; it looks like the host's /etc/ssh/ssh_host_ed25519_key.pub`,
    );
  return lines;
}
