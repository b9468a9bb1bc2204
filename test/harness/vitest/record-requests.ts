// Records the requests of this process: those of `fetch`, of undici and of `node:http`.

import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { SentRequest } from './last-requests.ts';
import { RecordedBody, recordRequest } from './last-requests.ts';

/** Headers that change the meaning of a request. */
const SHOWN_HEADERS = ['if-match', 'idempotency-key', 'content-type'];
const FIRST_ERROR_STATUS = 400;

type GetHeader = (name: string) => string | undefined;

function formatUser(authorization: string | undefined): string {
  const [, encoded] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
  return encoded === undefined ? '' : ` as ${Buffer.from(encoded, 'base64').toString().split(':')[0]}`;
}

function formatHeaders(getHeader: GetHeader): string {
  const shown = SHOWN_HEADERS.map(name => [name, getHeader(name)] as const)
    .filter(([, value]) => value !== undefined && value !== 'application/json')
    .map(header => header.join(': '));
  return shown.length === 0 ? '' : ` [${shown.join(', ')}]`;
}

const formatTarget = (url: string, getHeader: GetHeader): string =>
  `${url}${formatUser(getHeader('authorization'))}${formatHeaders(getHeader)}`;

interface UndiciRequest {
  readonly method: string;
  readonly origin: string | URL;
  readonly path: string;
  /** Names and values. */
  readonly headers: readonly unknown[];
}

interface UndiciMessage {
  readonly request: UndiciRequest;
}

const getUndiciHeader =
  ({ headers }: UndiciRequest): GetHeader =>
  name => {
    const index = headers.findIndex((header, at) => at % 2 === 0 && String(header).toLowerCase() === name);
    return index === -1 ? undefined : String(headers[index + 1]);
  };

/** Requests of `fetch`, and of the undici clients of a server in this process. */
function recordUndiciRequests(): void {
  const sent = new WeakMap<UndiciRequest, SentRequest>();
  const onMessage = <Message extends UndiciMessage>(
    name: string,
    update: (entry: SentRequest, message: Message) => void,
  ): void =>
    subscribe(`undici:request:${name}`, message => {
      const entry = sent.get((message as Message).request);
      if (entry) update(entry, message as Message);
    });
  subscribe('undici:request:create', message => {
    const { request } = message as UndiciMessage;
    const target = formatTarget(`${request.origin}${request.path}`, getUndiciHeader(request));
    sent.set(request, recordRequest({ method: request.method, target }));
  });
  onMessage<UndiciMessage & { readonly chunk: Uint8Array }>('bodyChunkSent', (entry, { request, chunk }) => {
    // Bodies of the server can contain secrets. Only `fetch` sends this header.
    if (getUndiciHeader(request)('sec-fetch-mode') === undefined) entry.hasHiddenBody = true;
    else entry.body.append(chunk);
  });
  onMessage<UndiciMessage & { readonly response: { readonly statusCode: number } }>(
    'headers',
    (entry, { response }) => {
      entry.result = String(response.statusCode);
    },
  );
  onMessage<UndiciMessage & { readonly chunk: Uint8Array }>('bodyChunkReceived', (entry, { chunk }) => {
    if (Number(entry.result) >= FIRST_ERROR_STATUS) entry.responseBody.append(chunk);
  });
  onMessage<UndiciMessage & { readonly error: unknown }>('error', (entry, { error }) => {
    entry.result = [entry.result, String(error)].filter(Boolean).join(' -> ');
  });
}

/** Node has no diagnostics channel for the bodies of `node:http`. */
function recordBody(request: ClientRequest): RecordedBody {
  const body = new RecordedBody();
  for (const name of ['write', 'end'] as const) {
    const send = request[name];
    Object.assign(request, {
      [name]: (...args: unknown[]) => {
        const [chunk] = args;
        if (typeof chunk === 'string' || chunk instanceof Uint8Array) body.append(chunk);
        return Reflect.apply(send, request, args);
      },
    });
  }
  return body;
}

/** Requests of `node:http`, which only clients of tests use, such as the command line. */
function recordClientRequests(): void {
  const bodies = new WeakMap<ClientRequest, RecordedBody>();
  const sent = new WeakMap<ClientRequest, SentRequest>();
  subscribe('http.client.request.created', message => {
    const { request } = message as { readonly request: ClientRequest };
    bodies.set(request, recordBody(request));
  });
  subscribe('http.client.request.start', message => {
    const { request } = message as { readonly request: ClientRequest };
    const getHeader: GetHeader = name => request.getHeader(name)?.toString();
    const url = `${request.protocol}//${getHeader('host') ?? request.host}${request.path}`;
    const [target, body] = [formatTarget(url, getHeader), bodies.get(request)];
    sent.set(request, recordRequest({ method: request.method, target, ...(body && { body }) }));
  });
  subscribe('http.client.response.finish', message => {
    const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage };
    const entry = sent.get(request);
    if (entry) entry.result = String(response.statusCode);
  });
}

/** Vitest loads setup files again for each test file, but the recorders are installed once per process. */
const shared: typeof globalThis & { hasRequestRecorders?: true } = globalThis;

export function installRequestRecorders(): void {
  if (shared.hasRequestRecorders) return;
  shared.hasRequestRecorders = true;
  recordUndiciRequests();
  recordClientRequests();
}
