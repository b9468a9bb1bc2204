/** What is wrong with an address at which hosts shall find the service; `undefined`: nothing. */
export function serviceUrlProblem(text: string): string | undefined {
  const url = /[\s\p{C}]/u.test(text) || !URL.canParse(text) ? undefined : new URL(text);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    return 'must be a URL that begins with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must hold no user and no password';
  if (/[?#]/.test(text)) return 'must hold no query and no fragment';
  return undefined;
}
