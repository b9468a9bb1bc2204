import type { IncomingHttpHeaders } from 'node:http';
import type { ExpectedRevision } from '../../app/unit-of-work.ts';
import { AppError } from '../../domain/errors.ts';

export const toEtag = (revision: string): string => `"${revision}"`;

/** Reads `If-Match`. It asks for strong validators (RFC 9110), so a weak one, or none at all, matches nothing. */
export function parseIfMatch(header: string | undefined): ExpectedRevision | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, revision = '']) =>
    weak ? [] : [revision],
  );
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** Reads `Idempotency-Key`; null when it was not sent. Sent twice, it is joined by a comma and a space, and refused. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null | AppError {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  return new AppError('invalid_header', 'Idempotency-Key must have 1 to 128 visible ASCII characters');
}

const EVENT_ID = /^\d{1,16}$/;

/** Reads `Last-Event-ID`, which a browser sends when it connects again; null when it was not sent. */
export function readLastEventId(headers: IncomingHttpHeaders): number | null | AppError {
  const text = headers['last-event-id'];
  if (text === undefined) return null;
  const id = typeof text === 'string' && EVENT_ID.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  return new AppError('invalid_header', 'Last-Event-ID must be an event ID');
}

/** Whether a person goes there with a browser: by a link, a bookmark or the address bar. No script of a page can say so. */
export const isNavigation = ({ 'sec-fetch-mode': mode }: IncomingHttpHeaders): boolean => mode === 'navigate';

/** Whether it is a page that is wanted, and not a file to be kept. */
export const acceptsHtml = (headers: IncomingHttpHeaders): boolean =>
  isNavigation(headers) && /(^|,)\s*text\/html\s*(;|,|$)/i.test(headers.accept ?? '');

const OPEN_METRICS = 'application/openmetrics-text';
/** What else stands for the older form. */
const PROMETHEUS_TYPES = ['text/plain', 'text/*', '*/*'];

interface MediaRange {
  readonly type: string;
  readonly version: string | undefined;
  readonly weight: number;
}

/** One of the kinds of answers that a caller takes (RFC 9110, 12.5.1). */
function parseMediaRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase());
  const parameter = (name: string) =>
    parameters.find(each => each.startsWith(`${name}=`))?.slice(name.length + 1);
  const weight = Number(parameter('q') ?? 1);
  return { type, version: parameter('version'), weight: Number.isFinite(weight) ? weight : 0 };
}

/** Whether a caller would rather have OpenMetrics than Prometheus' older form. Whoever names neither gets that. */
export function prefersOpenMetrics(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(parseMediaRange);
  const highestWeight = (matches: (range: MediaRange) => boolean) =>
    Math.max(0, ...ranges.filter(matches).map(({ weight }) => weight));
  const weight = highestWeight(
    ({ type, version = '1.0.0' }) => type === OPEN_METRICS && version.replaceAll('"', '') === '1.0.0',
  );
  return weight > 0 && weight >= highestWeight(({ type }) => PROMETHEUS_TYPES.includes(type));
}
