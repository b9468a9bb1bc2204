import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { PlainError } from '../lib/plain-error.ts';
import type { Config } from './settings.ts';

function readPem(key: 'tls_cert' | 'tls_key', file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new PlainError(`${key}: cannot be read: ${(error as Error).message}`);
  }
}

/** The certificate and its key, if TLS is configured; tried out, so that what is wrong with them is told at the start. */
export function readTls({ tls_cert, tls_key }: Config): { cert: string; key: string } | undefined {
  if (tls_cert === undefined || tls_key === undefined) return undefined;
  const pair = { cert: readPem('tls_cert', tls_cert), key: readPem('tls_key', tls_key) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new PlainError(
      `tls_cert, tls_key: do not hold a certificate and its key in PEM: ${(error as Error).message}`,
    );
  }
  return pair;
}
