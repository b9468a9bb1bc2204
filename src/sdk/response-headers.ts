import { OPERATION_ID_PATTERN } from '../domain/vocabulary.ts';

/** The value of `after` for the next page, from the header `Link`, which can contain other links too. */
export function getNextCursor(headers: Pick<Headers, 'get'>): string | undefined {
  const [, address] = /<([^<>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (address === undefined) return undefined;
  // The link is a path; the base URL is only needed for parsing.
  return new URL(address, 'http://service').searchParams.get('after') ?? undefined;
}

type ResponseHeaders = Pick<Headers, 'get'>;

const OPERATION_LOCATION = new RegExp(`/operation/(${OPERATION_ID_PATTERN})$`);

/** From the header `Location`; `undefined` if it names no operation. */
export const findOperationId = (headers: ResponseHeaders): string | undefined =>
  OPERATION_LOCATION.exec(headers.get('location') ?? '')?.[1];

/** The ID of the operation that a request started. Throws if the response has none, as with `dry_run`. */
export function getOperationId({ headers }: { readonly headers: ResponseHeaders }): string {
  const id = findOperationId(headers);
  if (id !== undefined) return id;
  throw new Error('the server returned no operation ID. Check the list of operations');
}

export const getEventPositionHeader = (headers: ResponseHeaders): string | undefined =>
  headers.get('hostler-event') ?? undefined;

/** 0, before all events, without the header: then each event counts as new. */
export const getEventPosition = (headers: ResponseHeaders): number => Number(getEventPositionHeader(headers) ?? 0);

/** Smaller differences come from the resolution of `Date`, a second, and from the latency of the response. */
const MIN_OFFSET_MS = 3000;

/** How far the server clock is ahead of the local clock, from the header `Date`. */
export function getClockOffsetMs(date: string | null, nowMs: number): number {
  const offset = date === null ? 0 : Date.parse(date) - nowMs;
  return Math.abs(offset) > MIN_OFFSET_MS ? offset : 0;
}
