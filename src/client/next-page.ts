/** What to ask for the next page `after`, as `Link` says; other links may stand beside it. */
export function nextAfter(headers: Pick<Headers, 'get'>): string | undefined {
  const [, address] = /<([^<>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (address === undefined) return undefined;
  // Links are paths; only what they ask for matters.
  return new URL(address, 'http://service').searchParams.get('after') ?? undefined;
}
