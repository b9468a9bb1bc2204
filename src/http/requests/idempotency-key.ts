import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../domain/errors.ts';

const KEY = /^[\x21-\x7e]{1,128}$/;

/** Reads `Idempotency-Key`; null when it was not sent. Sent twice, it is joined by a comma and a space, and refused. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null | AppError {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && KEY.test(key)) return key;
  return new AppError('invalid_header', 'Idempotency-Key must have 1 to 128 visible ASCII characters');
}
