// A private key in a file of whoever runs the command. What must hold: nothing of a key is in any message, and one that cannot be
// used is told with what to do about it before anything is sent.

import { statSync } from 'node:fs';
import { isOpenToOthers } from '../../lib/is-open-to-others.ts';
import { FieldReader } from '../../lib/ssh-forms/wire-fields.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { usageProblem } from '../cli-problem.ts';
import { readFileBytes } from '../read-file.ts';
import type { Terminal } from '../terminal.ts';

const PRIVATE = /^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/;
const PUBLIC = /^(?:ssh-|ecdsa-sha2-|sk-)\S+ AAAA|^(?:-----|---- )BEGIN (?:[A-Z0-9]+ )*PUBLIC KEY/;
const OPENSSH = /^-----BEGIN OPENSSH PRIVATE KEY-----([^-]*)/;
const MAGIC = 'openssh-key-v1\0';

/** A word as people would type it. */
const typed = (word: string) => (/^[\w@%+:,./-]+$/.test(word) ? word : shellWord(word));

function isEncrypted(text: string): boolean {
  if (/^-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(text)) return true;
  const body = Buffer.from(OPENSSH.exec(text)?.[1] ?? '', 'base64');
  if (body.toString('latin1', 0, MAGIC.length) !== MAGIC) return false;
  try {
    return new FieldReader(body.subarray(MAGIC.length)).text() !== 'none';
  } catch {
    // What is not whole is told by the service.
    return false;
  }
}

function keyProblem(file: string, text: string): string | undefined {
  const [key, plain] = [typed(file), typed(`${file}.plain`)];
  if (PUBLIC.test(text)) {
    const other = file.endsWith('.pub') ? `: ${file.slice(0, -'.pub'.length)}` : '';
    return `${file} is a public key. Use its private key${other}`;
  }
  if (text.startsWith('PuTTY-User-Key-File'))
    return `${file} is a PuTTY key. Convert it with: puttygen ${key} -O private-openssh -o ${plain}`;
  if (!PRIVATE.test(text)) return `${file} is not a private key in OpenSSH or PEM format`;
  if (isEncrypted(text))
    return `${file} is encrypted with a passphrase, which the server cannot ask for. Use an unencrypted copy: cp ${key} ${plain} && ssh-keygen -p -N '' -f ${plain}`;
  return undefined;
}

/** The key as it is sent: base64 without line breaks. */
export function readPrivateKeyFile(file: string, terminal: Pick<Terminal, 'tell'>): string {
  const bytes = readFileBytes(file, 'a private key');
  const stats = statSync(file, { throwIfNoEntry: false });
  const isForOthers = stats?.isFile() === true && isOpenToOthers(stats);
  const problem = keyProblem(file, bytes.toString('latin1').trimStart());
  if (problem !== undefined) throw usageProblem(problem);
  if (isForOthers)
    terminal.tell(`hostler: warning: other users can read ${file}. Fix it with: chmod 600 ${typed(file)}\n`);
  return bytes.toString('base64');
}
