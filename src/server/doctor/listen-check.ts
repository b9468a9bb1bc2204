import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { errorCode } from '../../lib/errors/error-code.ts';
import { isRecord } from '../../lib/is-record.ts';
import { harmless } from '../../lib/text/harmless.ts';
import { hostAndPort } from '../../lib/text/host-and-port.ts';
import type { ListenAddress } from '../configuration/setting-values.ts';
import { listenProblem } from '../parts/listen-problem.ts';
import type { Check, Finding } from './check.ts';
import { ok, problem, warning } from './check.ts';

const ANSWER_WITHIN_MS = 5000;

/** Who listens on all addresses is met on loopback. */
const MET_AT: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Throws when whoever is there does not speak HTTP, or not in time. */
function askReadiness({ host, port }: ListenAddress, isTls: boolean): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      host: MET_AT[host] ?? host,
      ...{ port, path: '/readyz', timeout: ANSWER_WITHIN_MS, agent: false },
    };
    // Only whether it is one of ours is asked, and nothing is told to it: its certificate is looked at by another check.
    const request = isTls ? https.get({ ...options, rejectUnauthorized: false }) : http.get(options);
    request.on('timeout', () => request.destroy(new Error('no response')));
    request.on('error', reject);
    request.on('response', response => {
      text(response).then(body => resolve({ status: response.statusCode ?? 0, body: parsed(body) }), reject);
    });
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Takes the address for a moment, as the service would. */
function tryToListen({ host, port }: ListenAddress): Promise<Error | undefined> {
  return new Promise(resolve => {
    const server = net.createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** What is to be said if it is a Hostler that has it. */
async function findTenant(
  where: string,
  listen: ListenAddress,
  isTls: boolean,
): Promise<Finding | undefined> {
  try {
    const { status, body } = await askReadiness(listen, isTls);
    const { status: state, code, detail } = isRecord(body) ? body : {};
    if (status === 200 && state === 'ready') return ok(`Hostler is running at ${where} and is ready`);
    if (typeof code === 'string' && typeof detail === 'string')
      return warning(`Hostler is running at ${where} but is not ready: ${harmless(detail)}`);
  } catch {
    // Whoever it is, it is none of ours.
  }
  return undefined;
}

export const listenCheck: Check = {
  name: 'address',
  settings: ['listen', 'tls_cert', 'tls_key'],
  find: async ({ config: { listen, tls_cert } }) => {
    const where = hostAndPort(listen.host, listen.port);
    if (listen.port === 0) return [ok(`${where}: the server selects a free port at start`)];
    const refused = await tryToListen(listen);
    if (refused === undefined) return [ok(`${where} is free; Hostler is not running`)];
    const tenant =
      errorCode(refused) === 'EADDRINUSE'
        ? await findTenant(where, listen, tls_cert !== undefined)
        : undefined;
    return [tenant ?? problem(listenProblem(refused, listen).message)];
  },
};
