import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setInterval } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { TlsCertificate } from '../http/connections/node-server.ts';
import { errorMessage, PermanentError } from '../lib/errors.ts';
import { fileFingerprint } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/time/clock.ts';
import { DAY_MS } from '../lib/time/clock.ts';
import type { Config } from './configuration/settings.ts';

export interface Certificate extends TlsCertificate {
  readonly validTo: Date;
}

async function readPem(key: 'tls_cert' | 'tls_key', file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new PermanentError(`${key}: cannot read the file: ${errorMessage(error)}`);
  }
}

function parseCertificate(pair: TlsCertificate): Certificate {
  try {
    createSecureContext(pair);
    const leaf = new X509Certificate(pair.cert);
    // OpenSSL detects a wrong private key only if the certificate and the key have the same algorithm.
    if (!leaf.checkPrivateKey(createPrivateKey(pair.key)))
      throw new Error('the private key belongs to a different certificate');
    return { ...pair, validTo: leaf.validToDate };
  } catch (error) {
    throw new PermanentError(
      `tls_cert, tls_key: not a valid certificate and private key in PEM: ${errorMessage(error)}`,
    );
  }
}

/** An error is a fingerprint too: a removed or restored file counts as a change. */
const fingerprintFile = (file: string): Promise<string> => fileFingerprint(file).catch(String);

/** The certificate and key files, which other programs replace when they renew the certificate. */
export class CertificateFiles {
  readonly #cert: string;
  readonly #key: string;
  #lastFingerprint = '';

  constructor(cert: string, key: string) {
    this.#cert = cert;
    this.#key = key;
  }

  async #fingerprint(): Promise<string> {
    return `${await fingerprintFile(this.#cert)} ${await fingerprintFile(this.#key)}`;
  }

  /** Whether the files have changed since the last read, even if that read failed. */
  async haveChanged(): Promise<boolean> {
    return (await this.#fingerprint()) !== this.#lastFingerprint;
  }

  async read(): Promise<Certificate> {
    // Before the files are read, so that a later write counts as a change.
    this.#lastFingerprint = await this.#fingerprint();
    return parseCertificate({ cert: await readPem('tls_cert', this.#cert), key: await readPem('tls_key', this.#key) });
  }
}

export const toCertificateFiles = ({ tls_cert, tls_key }: Config): CertificateFiles | undefined =>
  tls_cert === undefined || tls_key === undefined ? undefined : new CertificateFiles(tls_cert, tls_key);

const POLL_INTERVAL_MS = 2000;
export const EXPIRY_WARNING_DAYS = 14;

type WarningLog = Pick<Log, 'info' | 'warn'>;

function warnIfExpiring({ validTo }: Certificate, clock: Clock, log: WarningLog): void {
  const leftMs = validTo.getTime() - clock.now();
  if (leftMs <= 0) log.warn({ validTo }, 'TLS certificate has expired');
  else if (leftMs <= EXPIRY_WARNING_DAYS * DAY_MS)
    log.warn({ validTo }, `TLS certificate expires within ${EXPIRY_WARNING_DAYS} days`);
}

interface WatchOptions {
  readonly files: CertificateFiles;
  readonly apply: (certificate: Certificate) => void;
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly pollIntervalMs?: number;
}

async function reload({ files, apply, clock, log }: WatchOptions): Promise<Certificate | undefined> {
  try {
    const certificate = await files.read();
    apply(certificate);
    log.info({ validTo: certificate.validTo }, 'TLS certificate reloaded');
    warnIfExpiring(certificate, clock, log);
    return certificate;
  } catch (error) {
    log.warn({ problem: errorMessage(error) }, 'new TLS certificate is invalid; keeping the current one');
    return undefined;
  }
}

/**
 * Polls the files, because file watchers miss changes through symbolic links and on network file systems. Returns a
 * function that stops the polling.
 */
export function watchCertificate(current: Certificate, options: WatchOptions): () => Promise<void> {
  warnIfExpiring(current, options.clock, options.log);
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = (async () => {
    let [certificate, warnedAtMs] = [current, options.clock.monotonicMs()];
    for await (const _ of setInterval(options.pollIntervalMs ?? POLL_INTERVAL_MS, undefined, { ref: false, signal })) {
      if (await options.files.haveChanged()) certificate = (await reload(options)) ?? certificate;
      if (options.clock.monotonicMs() - warnedAtMs < DAY_MS) continue;
      warnedAtMs = options.clock.monotonicMs();
      warnIfExpiring(certificate, options.clock, options.log);
    }
  })();
  // Only the abort of the interval rejects.
  const loopEnded = loop.catch(() => {});
  return async () => {
    stopping.abort();
    await loopEnded;
  };
}
