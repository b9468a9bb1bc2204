import { isSeenWord } from '../../lib/text/harmless.ts';

/** What is wrong with an address at which hosts shall find the service; `undefined`: nothing. */
export function serviceUrlProblem(text: string): string | undefined {
  const url = /^https?:\/\//.test(text) && isSeenWord(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return 'must be a URL that begins with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (/[{}\\^|<>"`]/.test(text) || /[[\]]/.test(url.pathname))
    return 'must not contain characters that a URL must encode; write them as %XX';
  if (/[?#]/.test(text)) return 'must not contain a query or fragment';
  return undefined;
}
