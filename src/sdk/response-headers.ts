/** What to ask for the next page `after`, as `Link` says; other links may stand beside it. */
export function getNextCursor(headers: Pick<Headers, 'get'>): string | undefined {
  const [, address] = /<([^<>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (address === undefined) return undefined;
  // Links are paths; only what they ask for matters.
  return new URL(address, 'http://service').searchParams.get('after') ?? undefined;
}

type ResponseHeaders = Pick<Headers, 'get'>;

/** The position of the log of events that a read is true for, as it says it; `undefined`: it does not. */
export const getEventPositionHeader = (headers: ResponseHeaders): string | undefined =>
  headers.get('hostler-event') ?? undefined;

/** The same as a number; 0, before all events, where nothing is said: then each event counts as new. */
export const getEventPosition = (headers: ResponseHeaders): number =>
  Number(getEventPositionHeader(headers) ?? 0);

/** `Date` has whole seconds, and the answer has taken a while: less than this is no difference. */
const MIN_OFFSET_MS = 3000;

/** How far the clock of the service is ahead of the one here, by the `Date` of an answer. */
export function getClockOffsetMs(date: string | null, nowMs: number): number {
  const offset = date === null ? 0 : Date.parse(date) - nowMs;
  return Math.abs(offset) > MIN_OFFSET_MS ? offset : 0;
}
