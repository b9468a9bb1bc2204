import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Credentials } from '../../app/auth/principal.ts';
import { isSessionSecret } from '../../domain/accounts/login-session.ts';
import { Secret } from '../../domain/secret.ts';

const BASIC_HEADER = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads an `Authorization: Basic` header (RFC 7617, UTF-8); `undefined` when it is malformed. */
export function parseBasicAuth(header: Secret): Credentials | undefined {
  const encoded = BASIC_HEADER.exec(header.reveal())?.[1];
  if (encoded === undefined) return undefined;
  try {
    const text = utf8.decode(Buffer.from(encoded, 'base64'));
    const colon = text.indexOf(':');
    const [name, password] = [text.slice(0, colon), text.slice(colon + 1)];
    return colon < 1 || password === ''
      ? undefined
      : { name, password: new Secret(password), authorizationHeader: header };
  } catch {
    return undefined;
  }
}

/** Whether the dashboard asks: no form sends this header, and scripts of other sites may not. */
export const isDashboardRequest = (headers: IncomingHttpHeaders): boolean =>
  headers['hostler-dashboard'] === '1';

/** What browsers say of who asks; old ones, and other clients, say nothing. */
const isSameSite = ({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  site === undefined || site === 'same-origin' || site === 'none';

/**
 * The secret of a session among cookies; `undefined` when there is none that could be one. Cookies of other programs on the same host may
 * be anything. Of two with this name, somebody else has set one, and nobody can tell which: neither counts.
 */
export function readSessionCookie(header: string | undefined, name: string): Secret | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  const values = header.split(';').flatMap(pair => {
    const equals = pair.indexOf('=');
    return equals !== -1 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
  });
  const [value] = values;
  return values.length === 1 && value !== undefined && isSessionSecret(value) ? new Secret(value) : undefined;
}

/** The secret of the session by which a request wants to be let in. */
export const readSessionSecret = (headers: IncomingHttpHeaders, cookieName: string): Secret | undefined =>
  isDashboardRequest(headers) && isSameSite(headers)
    ? readSessionCookie(headers.cookie, cookieName)
    : undefined;

// The cookie of a session. Over TLS its name has the prefix by which browsers keep others from setting it: neither another site below
// the same domain nor somebody on the line can put a session of theirs in its place.

/** Whether the caller's browser speaks TLS, with us or with a proxy that we trust. */
export const isTlsRequest = (request: FastifyRequest): boolean => request.protocol === 'https';

export const sessionCookieName = (isTls: boolean): string =>
  isTls ? '__Host-hostler-session' : 'hostler-session';

const formatCookie = (value: string, maxAgeS: number, isTls: boolean): string =>
  [
    `${sessionCookieName(isTls)}=${value}`,
    `Max-Age=${maxAgeS}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(isTls ? ['Secure'] : []),
  ].join('; ');

export const setSessionCookie = (secret: Secret, maxAgeS: number, isTls: boolean) => ({
  'set-cookie': formatCookie(secret.reveal(), maxAgeS, isTls),
});

export const clearSessionCookie = (isTls: boolean) => ({ 'set-cookie': formatCookie('', 0, isTls) });
