// Reads private keys and host keys from files of the user. Invariants: messages never contain key material,
// and an unusable key is reported before any request, with a fix.

import { statSync } from 'node:fs';
import { isAccessibleByOthers } from '../../../lib/files.ts';
import { SshReader } from '../../../lib/ssh-encoding.ts';
import { shellQuote } from '../../../lib/text.ts';
import { usageError } from '../../errors.ts';
import { readFileBytes, readTextFile } from '../../input/files.ts';
import type { Terminal } from '../../terminal/terminal.ts';

const PRIVATE = /^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/;
const PUBLIC = /^(?:ssh-|ecdsa-sha2-|sk-)\S+ AAAA|^(?:-----|---- )BEGIN (?:[A-Z0-9]+ )*PUBLIC KEY/;
const OPENSSH = /^-----BEGIN OPENSSH PRIVATE KEY-----([^-]*)/;
const MAGIC = 'openssh-key-v1\0';

const quoteForShell = (word: string) => (/^[\w@%+:,./-]+$/.test(word) ? word : shellQuote(word));

function isEncrypted(text: string): boolean {
  if (/^-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(text)) return true;
  const body = Buffer.from(OPENSSH.exec(text)?.[1] ?? '', 'base64');
  if (body.toString('latin1', 0, MAGIC.length) !== MAGIC) return false;
  try {
    return new SshReader(body.subarray(MAGIC.length)).text() !== 'none';
  } catch {
    // The server reports a truncated key.
    return false;
  }
}

function checkPrivateKey(file: string, text: string): string | undefined {
  const [key, plain] = [quoteForShell(file), quoteForShell(`${file}.plain`)];
  if (PUBLIC.test(text)) {
    const privateKeyHint = file.endsWith('.pub') ? `: ${file.slice(0, -'.pub'.length)}` : '';
    return `${file} is a public key. Use its private key${privateKeyHint}`;
  }
  if (text.startsWith('PuTTY-User-Key-File'))
    return `${file} is a PuTTY key. Convert it with: puttygen ${key} -O private-openssh -o ${plain}`;
  if (!PRIVATE.test(text)) return `${file} is not a private key in OpenSSH or PEM format`;
  if (isEncrypted(text))
    return `${file} is encrypted with a passphrase, which the server cannot ask for. Use an unencrypted copy: cp ${key} ${plain} && ssh-keygen -p -N '' -f ${plain}`;
  return undefined;
}

/** Returns the key in the format of the API: base64 without line breaks. */
export function readPrivateKeyFile(file: string, terminal: Pick<Terminal, 'writeErr'>): string {
  const bytes = readFileBytes(file, 'a private key');
  const stats = statSync(file, { throwIfNoEntry: false });
  const isReadableByOthers = stats?.isFile() === true && isAccessibleByOthers(stats);
  const invalidReason = checkPrivateKey(file, bytes.toString('latin1').trimStart());
  if (invalidReason !== undefined) throw usageError(invalidReason);
  if (isReadableByOthers)
    terminal.writeErr(
      `hostler: warning: other users can read ${file}. Fix it with: chmod 600 ${quoteForShell(file)}\n`,
    );
  return bytes.toString('base64');
}

const HOST_KEY = /^(?:ssh-|ecdsa-sha2-)\S+ [A-Za-z0-9+/]+={0,2}(?: .*)?$/;

export function readHostKeyFile(file: string): readonly string[] {
  const lines = readTextFile(file, 'a public host key')
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
  if (lines.length === 0 || !lines.every(line => HOST_KEY.test(line)))
    throw usageError(
      `${file} contains no public host key. Use a copy of /etc/ssh/ssh_host_ed25519_key.pub from the host`,
    );
  return lines;
}
