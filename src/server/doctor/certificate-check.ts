import { X509Certificate } from 'node:crypto';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { DAY_MS } from '../../lib/time/day.ts';
import type { Certificate } from '../certificates/certificate-files.ts';
import { certificateFilesOf } from '../certificates/certificate-files.ts';
import { WARN_DAYS } from '../certificates/watch-certificate.ts';
import type { Check, Finding } from './check.ts';
import { ok, problem, warning } from './check.ts';

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

function findValidity({ cert, validTo }: Certificate, nowMs: number): Finding {
  const { validFromDate } = new X509Certificate(cert);
  const leftMs = validTo.getTime() - nowMs;
  if (leftMs <= 0) return problem(`it has expired on ${dayOf(validTo)}; put a new one in its place`);
  if (validFromDate.getTime() > nowMs)
    return problem(`it is valid from ${dayOf(validFromDate)} on, and not yet; check the clock`);
  const days = Math.floor(leftMs / DAY_MS);
  return days < WARN_DAYS
    ? warning(
        `it expires on ${dayOf(validTo)}; put a new one in its place, which the service takes up by itself`,
      )
    : ok(`it fits its key, and is valid until ${dayOf(validTo)}`);
}

export const certificateCheck: Check = {
  name: 'certificate',
  settings: ['tls_cert', 'tls_key', 'listen', 'allow_plain_http'],
  find: async ({ config, clock }) => {
    const files = certificateFilesOf(config);
    if (files === undefined)
      return config.allow_plain_http
        ? [
            warning(
              'there is none, and allow_plain_http is on: passwords travel in clear; give tls_cert and tls_key',
            ),
          ]
        : [ok('there is none, and none is needed on loopback')];
    try {
      return [findValidity(await files.read(), clock.now())];
    } catch (error) {
      if (error instanceof PlainError) return [problem(error.message)];
      throw error;
    }
  },
};
