import type { IncomingHttpHeaders } from 'node:http';
import { isSessionSecret } from '../../domain/accounts/login-session.ts';
import { Secret } from '../../domain/secret.ts';

/** Whether the dashboard asks: no form sends this header, and scripts of other sites may not. */
export const isFromDashboard = (headers: IncomingHttpHeaders): boolean =>
  headers['hostler-dashboard'] === '1';

/** What browsers say of who asks; old ones, and other clients, say nothing. */
const isFromSameSite = ({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  site === undefined || site === 'same-origin' || site === 'none';

/**
 * The secret of a session among cookies; `undefined` when there is none that could be one. Cookies of other programs on the same host may
 * be anything. Of two with this name, somebody else has set one, and nobody can tell which: neither counts.
 */
export function readSessionCookie(header: string | undefined, name: string): Secret | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  const values = header.split(';').flatMap(part => {
    const equals = part.indexOf('=');
    return equals !== -1 && part.slice(0, equals).trim() === name ? [part.slice(equals + 1).trim()] : [];
  });
  const [value] = values;
  return values.length === 1 && value !== undefined && isSessionSecret(value) ? new Secret(value) : undefined;
}

/** The secret of the session by which a request wants to be let in. */
export const sessionSecretOf = (headers: IncomingHttpHeaders, cookieName: string): Secret | undefined =>
  isFromDashboard(headers) && isFromSameSite(headers)
    ? readSessionCookie(headers.cookie, cookieName)
    : undefined;
