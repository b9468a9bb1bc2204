import { usageProblem } from '../cli-problem.ts';
import { readTextFile } from '../read-file.ts';

const HOST_KEY = /^(?:ssh-|ecdsa-sha2-)\S+ [A-Za-z0-9+/]+={0,2}(?: .*)?$/;

/** The public keys of a host in a file, one in each line. */
export function readHostKeyFile(file: string): readonly string[] {
  const lines = readTextFile(file, 'a public host key')
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
  if (lines.length === 0 || !lines.every(line => HOST_KEY.test(line)))
    throw usageProblem(
      `${file} contains no public host key. Use a copy of /etc/ssh/ssh_host_ed25519_key.pub from the host`,
    );
  return lines;
}
