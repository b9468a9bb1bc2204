import type { Answered } from './client.ts';

/** What to ask for the next page `after`, as `Link` says; other links may stand beside it. */
export function nextAfter(headers: Answered['headers']): string | undefined {
  const [, address] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (address === undefined) return undefined;
  // Links are paths; only what they ask for matters.
  return new URL(address, 'http://service').searchParams.get('after') ?? undefined;
}
