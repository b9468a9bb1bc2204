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
  if (leftMs <= 0) return problem(`expired on ${dayOf(validTo)}; replace the files of tls_cert and tls_key`);
  if (validFromDate.getTime() > nowMs)
    return problem(`not valid before ${dayOf(validFromDate)}; check the system clock`);
  const days = Math.floor(leftMs / DAY_MS);
  return days < WARN_DAYS
    ? warning(
        `expires on ${dayOf(validTo)}; replace the files of tls_cert and tls_key, the server reloads them automatically`,
      )
    : ok(`valid until ${dayOf(validTo)}; the private key matches`);
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
              'no certificate, and allow_plain_http is on: passwords are sent in clear text; set tls_cert and tls_key',
            ),
          ]
        : [ok('no certificate; none is required on loopback')];
    try {
      return [findValidity(await files.read(), clock.now())];
    } catch (error) {
      if (error instanceof PlainError) return [problem(error.message)];
      throw error;
    }
  },
};
