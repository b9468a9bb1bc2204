// What to look for in files and logs, so that a secret is found in whatever form it leaked.

import { createPrivateKey } from 'node:crypto';

export interface Needle {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The part of a base64 text that is the same wherever the bytes stand in what was encoded. */
function base64Parts(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map(offset => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
    const end = Math.floor(whole.length / 3) * 4;
    return whole.toString('base64').slice(offset === 0 ? 0 : 4, end);
  });
}

const urlAlphabet = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_');

/** Bytes that nobody can guess, as they are and in the encodings that programs use. */
export function needlesOf(name: string, core: Buffer): readonly Needle[] {
  const parts = base64Parts(core);
  const forms = [
    core.toString('latin1'),
    core.toString('hex'),
    core.toString('hex').toUpperCase(),
    ...parts,
    ...parts.map(urlAlphabet),
    // What was encoded, encoded once more.
    ...parts.flatMap(part => base64Parts(Buffer.from(part))),
  ];
  return forms.map(form => ({ name, bytes: Buffer.from(form, 'latin1') }));
}

const SEED_BYTES = 32;

/** The secret half of an ed25519 key in PEM: everything before it is the same in all of them. */
export const seedOfPem = (pem: string): Buffer =>
  createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }).subarray(-SEED_BYTES);

/** The same of a key in OpenSSH's form, where it stands before the second copy of the public half. */
export function seedOfOpenSsh(text: string, publicLine: string): Buffer {
  const body = Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const publicHalf = Buffer.from(publicLine.split(' ')[1] ?? '', 'base64').subarray(-SEED_BYTES);
  const at = body.lastIndexOf(publicHalf);
  if (at < SEED_BYTES) throw new Error('this is no ed25519 key of OpenSSH');
  return body.subarray(at - SEED_BYTES, at);
}
