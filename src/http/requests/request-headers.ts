import type { IncomingHttpHeaders } from 'node:http';
import type { ExpectedRevision } from '../../app/unit-of-work.ts';
import { AppError } from '../../domain/errors.ts';

export const toEtag = (revision: string): string => `"${revision}"`;

export const etagHeader = ({ revision }: { readonly revision: string }) => ({ etag: toEtag(revision) });

/** `If-Match` requires strong validators (RFC 9110), so a weak or missing ETag matches nothing. */
export function parseIfMatch(header: string | undefined): ExpectedRevision | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, revision = '']) => (weak ? [] : [revision]));
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** Returns null without the header. Node joins repeated headers with `, `, which the pattern rejects. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null | AppError {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  return new AppError('invalid_header', 'Idempotency-Key must have 1 to 128 visible ASCII characters');
}

const EVENT_ID = /^\d{1,16}$/;

/** Browsers send `Last-Event-ID` when they reconnect. Returns null if it is missing. */
export function readLastEventId(headers: IncomingHttpHeaders): number | null | AppError {
  const text = headers['last-event-id'];
  if (text === undefined) return null;
  const id = typeof text === 'string' && EVENT_ID.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  return new AppError('invalid_header', 'Last-Event-ID must be an event ID');
}

/** True for links, bookmarks and the address bar. Scripts cannot set this header. */
export const isNavigation = ({ 'sec-fetch-mode': mode }: IncomingHttpHeaders): boolean => mode === 'navigate';

export const acceptsHtml = (headers: IncomingHttpHeaders): boolean =>
  isNavigation(headers) && /(^|,)\s*text\/html\s*(;|,|$)/i.test(headers.accept ?? '');

const OPEN_METRICS = 'application/openmetrics-text';
const PROMETHEUS_TYPES = ['text/plain', 'text/*', '*/*'];

/** RFC 9110, 12.5.1. */
function parseMediaRange(text: string) {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase());
  const parameter = (name: string) => parameters.find(entry => entry.startsWith(`${name}=`))?.slice(name.length + 1);
  const weight = Number(parameter('q') ?? 1);
  return { type, version: parameter('version'), weight: Number.isFinite(weight) ? weight : 0 };
}

/** The Prometheus text format is the default. */
export function prefersOpenMetrics(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(parseMediaRange);
  const highestWeight = (matches: (range: ReturnType<typeof parseMediaRange>) => boolean) =>
    Math.max(0, ...ranges.filter(matches).map(({ weight }) => weight));
  const weight = highestWeight(
    ({ type, version = '1.0.0' }) => type === OPEN_METRICS && version.replaceAll('"', '') === '1.0.0',
  );
  return weight > 0 && weight >= highestWeight(({ type }) => PROMETHEUS_TYPES.includes(type));
}
