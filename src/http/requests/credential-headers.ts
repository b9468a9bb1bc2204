import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Credentials } from '../../app/auth/principal.ts';
import { isSessionSecret } from '../../domain/accounts/login-session.ts';
import { Secret } from '../../domain/secret.ts';

const BASIC_HEADER = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses `Authorization: Basic` (RFC 7617, UTF-8). Returns undefined if the header is malformed. */
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

/** CSRF protection: HTML forms cannot send this header, and scripts of other sites need a CORS permission. */
export const isDashboardRequest = (headers: IncomingHttpHeaders): boolean => headers['hostler-dashboard'] === '1';

/** Old browsers and other clients do not send `Sec-Fetch-Site`. */
const isSameSite = ({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  site === undefined || site === 'same-origin' || site === 'none';

/** If there are two cookies with this name, an attacker may have set one (cookie tossing), so neither is accepted. */
export function readSessionCookie(header: string | undefined, name: string): Secret | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  const values = header.split(';').flatMap(pair => {
    const equals = pair.indexOf('=');
    return equals !== -1 && pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
  });
  const [value] = values;
  return values.length === 1 && value !== undefined && isSessionSecret(value) ? new Secret(value) : undefined;
}

export const readSessionSecret = (headers: IncomingHttpHeaders, cookieName: string): Secret | undefined =>
  isDashboardRequest(headers) && isSameSite(headers) ? readSessionCookie(headers.cookie, cookieName) : undefined;

// With the prefix `__Host-`, browsers accept the cookie only over TLS and only from this host. Neither
// another site of the same domain nor an attacker on the network can replace the session cookie.

export const isTlsRequest = (request: FastifyRequest): boolean => request.protocol === 'https';

export const sessionCookieName = (isTls: boolean): string => (isTls ? '__Host-hostler-session' : 'hostler-session');

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
