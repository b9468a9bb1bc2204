import { isVisibleWord } from '../../lib/sanitize.ts';
import { parseUrlAddress } from './address.ts';
import { isPublicAddress } from './public-address.ts';

/** The URL at which hosts reach the service. Returns an error message. */
export function validateServiceUrl(text: string): string | undefined {
  const url = /^https?:\/\//.test(text) && isVisibleWord(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return 'must be a URL that begins with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (/[{}\\^|<>"`]/.test(text) || /[[\]]/.test(url.pathname))
    return 'must not contain characters that a URL must encode; write them as %XX';
  if (/[?#]/.test(text)) return 'must not contain a query or fragment';
  return undefined;
}

const MAX_WEBHOOK_URL_LENGTH = 2048;

/**
 * The error message does not contain the URL, which can hold a token. Host names are checked only when the client
 * connects, because DNS can change.
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
