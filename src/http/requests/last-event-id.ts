import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../domain/errors.ts';

const NUMBER = /^\d{1,16}$/;

/** Reads `Last-Event-ID`, which a browser sends when it connects again; null when it was not sent. */
export function readLastEventId(headers: IncomingHttpHeaders): number | null | AppError {
  const text = headers['last-event-id'];
  if (text === undefined) return null;
  const id = typeof text === 'string' && NUMBER.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  return new AppError('invalid_header', 'Last-Event-ID must be an event ID');
}
