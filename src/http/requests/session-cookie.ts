// The cookie of a session. Over TLS its name has the prefix by which browsers keep others from setting it: neither another site below
// the same domain nor somebody on the line can put a session of theirs in its place.

import type { FastifyRequest } from 'fastify';
import type { Secret } from '../../domain/secret.ts';

/** Whether the caller's browser speaks TLS, with us or with a proxy that we trust. */
export const isSecure = (request: FastifyRequest): boolean => request.protocol === 'https';

export const sessionCookieName = (secure: boolean): string =>
  secure ? '__Host-hostler-session' : 'hostler-session';

const cookie = (value: string, maxAgeS: number, secure: boolean): string =>
  [
    `${sessionCookieName(secure)}=${value}`,
    `Max-Age=${maxAgeS}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
  ].join('; ');

export const setSessionCookie = (secret: Secret, maxAgeS: number, secure: boolean) => ({
  'set-cookie': cookie(secret.reveal(), maxAgeS, secure),
});

export const clearSessionCookie = (secure: boolean) => ({ 'set-cookie': cookie('', 0, secure) });
