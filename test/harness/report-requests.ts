// Adds the last HTTP requests of a failed test to its error message, so that they can be repeated with curl.

import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { afterEach, beforeEach } from 'vitest';
import { lastRequests, recordRequest } from './http/last-requests.ts';

const MAX_BODY_CHARACTERS = 300;

/** Vitest loads setup files again for each test file, but the recorders are installed once per process. */
const shared: typeof globalThis & { hasRequestRecorders?: true } = globalThis;

function formatUser(authorization: string | null): string {
  const [, encoded] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
  return encoded === undefined ? '' : ` as ${Buffer.from(encoded, 'base64').toString().split(':')[0]}`;
}

function formatFetch(url: string, { method = 'GET', headers, body }: RequestInit = {}): string {
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  const text = isText ? ` ${Buffer.from(body).toString().slice(0, MAX_BODY_CHARACTERS)}` : '';
  return `${method} ${url}${formatUser(new Headers(headers).get('authorization'))}${text}`;
}

function recordFetches(): void {
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = recordRequest(formatFetch(input instanceof Request ? input.url : String(input), init));
    try {
      const response = await send(input, init);
      request.text += ` -> ${response.status}`;
      return response;
    } catch (error) {
      request.text += ` -> ${error}`;
      throw error;
    }
  };
}

/** The body is readable while the request has not been sent. */
function formatUnsentBody(request: ClientRequest): string {
  const { outputData = [] } = request as { outputData?: readonly { readonly data: string | Uint8Array }[] };
  const [, ...body] = outputData
    .map(({ data }) => Buffer.from(data).toString())
    .join('')
    .split('\r\n\r\n');
  return body.length === 0 ? '' : ` ${body.join('\r\n\r\n').slice(0, MAX_BODY_CHARACTERS)}`;
}

/** Requests of `node:http`. */
function recordClientRequests(): void {
  const sent = new WeakMap<ClientRequest, ReturnType<typeof recordRequest>>();
  subscribe('http.client.request.start', message => {
    const { request } = message as { readonly request: ClientRequest };
    const authorization = request.getHeader('authorization');
    const user = formatUser(typeof authorization === 'string' ? authorization : null);
    const url = `${request.protocol}//${request.getHeader('host') ?? request.host}${request.path}`;
    sent.set(request, recordRequest(`${request.method} ${url}${user}${formatUnsentBody(request)}`));
  });
  subscribe('http.client.response.finish', message => {
    const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage };
    const entry = sent.get(request);
    if (entry) entry.text += ` -> ${response.statusCode}`;
  });
}

if (shared.hasRequestRecorders === undefined) {
  shared.hasRequestRecorders = true;
  recordFetches();
  recordClientRequests();
}

beforeEach(() => {
  lastRequests.length = 0;
});

afterEach(({ task }) => {
  if (task.result?.state !== 'fail' || lastRequests.length === 0) return;
  const list = lastRequests.map(({ text }) => `  ${text}`).join('\n');
  for (const error of task.result.errors ?? []) error.message += `\n\nLast requests of this test:\n${list}\n`;
});
