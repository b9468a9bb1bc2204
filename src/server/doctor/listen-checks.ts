import { X509Certificate } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { json } from 'node:stream/consumers';
import { errorCode } from '../../lib/errors.ts';
import { isRecord } from '../../lib/json.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { formatHostPort } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time/clock.ts';
import type { Certificate } from '../certificates.ts';
import { EXPIRY_WARNING_DAYS, toCertificateFiles } from '../certificates.ts';
import type { ListenAddress } from '../configuration/setting.ts';
import { toListenError } from '../wiring/listen.ts';
import type { DoctorCheck, Finding } from './check.ts';
import { failure, ok, warning } from './check.ts';

const formatDay = (date: Date) => date.toISOString().slice(0, 10);

function checkValidity({ cert, validTo }: Certificate, nowMs: number): Finding {
  const { validFromDate } = new X509Certificate(cert);
  const leftMs = validTo.getTime() - nowMs;
  if (leftMs <= 0) return failure(`expired on ${formatDay(validTo)}; replace the files of tls_cert and tls_key`);
  if (validFromDate.getTime() > nowMs)
    return failure(`not valid before ${formatDay(validFromDate)}; check the system clock`);
  const days = Math.floor(leftMs / DAY_MS);
  return days < EXPIRY_WARNING_DAYS
    ? warning(
        `expires on ${formatDay(validTo)}; replace the files of tls_cert and tls_key, the server reloads them automatically`,
      )
    : ok(`valid until ${formatDay(validTo)}; the private key matches`);
}

export const certificateCheck: DoctorCheck = {
  name: 'certificate',
  requiredSettings: ['tls_cert', 'tls_key', 'listen', 'allow_plain_http'],
  run: async ({ config, clock }) => {
    const files = toCertificateFiles(config);
    if (files === undefined)
      return config.allow_plain_http
        ? warning(
            'no certificate, and allow_plain_http is on: passwords are sent in clear text; set tls_cert and tls_key',
          )
        : ok('no certificate; none is required on loopback');
    return checkValidity(await files.read(), clock.now());
  },
};

const RESPONSE_TIMEOUT_MS = 5000;

/** A server that listens on all addresses is reachable on loopback. */
const LOOPBACK_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Returns the status and the body. */
function fetchReadiness({ host, port }: ListenAddress, isTls: boolean): Promise<[number, unknown]> {
  return new Promise((resolve, reject) => {
    const target = { host: LOOPBACK_ADDRESS[host] ?? host, port, path: '/readyz' };
    const options = { ...target, timeout: RESPONSE_TIMEOUT_MS, agent: false };
    // The request only identifies the listener and sends no secrets. certificateCheck verifies the certificate.
    const request = isTls ? https.get({ ...options, rejectUnauthorized: false }) : http.get(options);
    request.on('timeout', () => request.destroy(new Error('no response')));
    request.on('error', reject);
    request.on('response', response => {
      json(response).then(body => resolve([response.statusCode ?? 0, body]), reject);
    });
  });
}

function tryListen({ host, port }: ListenAddress): Promise<Error | undefined> {
  return new Promise(resolve => {
    const server = net.createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function identifyListener(address: string, listen: ListenAddress, isTls: boolean): Promise<Finding | undefined> {
  try {
    const [status, body] = await fetchReadiness(listen, isTls);
    const { status: state, code, detail } = isRecord(body) ? body : {};
    if (status === 200 && state === 'ready') return ok(`Hostler is running at ${address} and is ready`);
    if (typeof code === 'string' && typeof detail === 'string')
      return warning(`Hostler is running at ${address} but is not ready: ${sanitizeLine(detail)}`);
  } catch {
    // The listener is not Hostler.
  }
  return undefined;
}

export const listenCheck: DoctorCheck = {
  name: 'address',
  requiredSettings: ['listen', 'tls_cert', 'tls_key'],
  run: async ({ config: { listen, tls_cert } }) => {
    const address = formatHostPort(listen.host, listen.port);
    if (listen.port === 0) return ok(`${address}: the server selects a free port at start`);
    const listenError = await tryListen(listen);
    if (listenError === undefined) return ok(`${address} is free; Hostler is not running`);
    const listener =
      errorCode(listenError) === 'EADDRINUSE'
        ? await identifyListener(address, listen, tls_cert !== undefined)
        : undefined;
    return listener ?? failure(toListenError(listenError, listen).message);
  },
};
