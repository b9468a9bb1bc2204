import { isVisibleWord } from '../../lib/sanitize.ts';
import { parseUrlAddress } from './address.ts';
import { isPublicAddress } from './public-address.ts';

/** What is wrong with an address at which hosts shall find the service; `undefined`: nothing. */
export function validateServiceUrl(text: string): string | undefined {
  const url =
    /^https?:\/\//.test(text) && isVisibleWord(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return 'must be a URL that begins with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (/[{}\\^|<>"`]/.test(text) || /[[\]]/.test(url.pathname))
    return 'must not contain characters that a URL must encode; write them as %XX';
  if (/[?#]/.test(text)) return 'must not contain a query or fragment';
  return undefined;
}

export const MAX_WEBHOOK_URL_LENGTH = 2048;

/**
 * What is wrong with the URL of a webhook; `undefined`: nothing. The words never repeat it, since it may hold a token. Where a name
 * leads is asked only when somebody connects: it may lead elsewhere by then.
 */
export function validateWebhookUrl(text: string, allowsPrivate: boolean): string | undefined {
  if (text.length > MAX_WEBHOOK_URL_LENGTH) return `must have at most ${MAX_WEBHOOK_URL_LENGTH} characters`;
  const url = isVisibleWord(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    return 'must be a URL that begins with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not contain a fragment';
  const literal = parseUrlAddress(url);
  if (literal !== undefined && !allowsPrivate && !isPublicAddress(literal))
    return 'must not point to a private address, unless the setting webhook_allow_private is on';
  return undefined;
}
