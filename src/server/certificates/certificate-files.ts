import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { TlsPair } from '../../http/connections/node-server.ts';
import { LastingError } from '../../lib/errors/lasting-error.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { fileMark } from '../../lib/file-mark.ts';
import type { Config } from '../configuration/settings.ts';

export interface Certificate extends TlsPair {
  /** The end of its validity. */
  readonly validTo: Date;
}

async function readPem(key: 'tls_cert' | 'tls_key', file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new LastingError(`${key}: cannot read the file: ${messageOf(error)}`);
  }
}

/** Tries the pair out, as a server would use it. */
function certificateOf(pair: TlsPair): Certificate {
  try {
    createSecureContext(pair);
    const first = new X509Certificate(pair.cert);
    // OpenSSL itself notices only when both are of one kind.
    if (!first.checkPrivateKey(createPrivateKey(pair.key)))
      throw new Error('the private key belongs to a different certificate');
    return { ...pair, validTo: first.validToDate };
  } catch (error) {
    throw new LastingError(
      `tls_cert, tls_key: not a valid certificate and private key in PEM: ${messageOf(error)}`,
    );
  }
}

/** One that goes away, or comes back, has changed as well. */
const markOf = (file: string): Promise<string> => fileMark(file).catch(String);

/** The two files of a certificate, which somebody else replaces now and then. */
export class CertificateFiles {
  readonly #cert: string;
  readonly #key: string;
  #seen = '';

  constructor(cert: string, key: string) {
    this.#cert = cert;
    this.#key = key;
  }

  async #mark(): Promise<string> {
    return `${await markOf(this.#cert)} ${await markOf(this.#key)}`;
  }

  /** Whether the files are not those any more that were read, or tried to be read, last. */
  async haveChanged(): Promise<boolean> {
    return (await this.#mark()) !== this.#seen;
  }

  /** The certificate and its key, tried out; a LastingError says what is wrong with them. */
  async read(): Promise<Certificate> {
    // Before they are read: what is written meanwhile is a change.
    this.#seen = await this.#mark();
    return certificateOf({
      cert: await readPem('tls_cert', this.#cert),
      key: await readPem('tls_key', this.#key),
    });
  }
}

/** The files that the configuration names, if TLS is wanted. */
export const certificateFilesOf = ({ tls_cert, tls_key }: Config): CertificateFiles | undefined =>
  tls_cert === undefined || tls_key === undefined ? undefined : new CertificateFiles(tls_cert, tls_key);
