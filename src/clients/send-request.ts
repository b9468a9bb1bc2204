// Sends one request over shared connections. What must hold: it ends when its signal says so, wherever it is by then; nothing is sent
// after that, nor once we may not any more; a request that cannot be sent harms no other.

import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import { errorCode } from '../lib/errors/error-code.ts';
import { abortable } from './abortable.ts';
import type { Connections } from './connections.ts';
import { ServerFailure } from './server-failure.ts';
import type { TlsFiles } from './tls-files.ts';

export interface Sending {
  readonly connections: Connections;
  readonly files: TlsFiles;
  readonly mayProceed: () => boolean;
  readonly signal: AbortSignal;
}

export interface ServerRequest {
  readonly origin: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What undici says of a request that it does not even try to send. */
const UNSENDABLE = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/** These are about the connection, which is not for those who ask to speak of. */
const OF_CONNECTIONS = new Set([
  ...['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'],
]);

const calledOff = () => new ServerFailure('called_off', 'aborted');

/** The message names no value: it may be a secret. */
function refuseBadHeaders({ origin, headers }: ServerRequest): void {
  for (const [name, value] of Object.entries(headers)) {
    if (OF_CONNECTIONS.has(name.toLowerCase()))
      throw new ServerFailure('untrusted', `${origin}: the header ${name} must not be set`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new ServerFailure('untrusted', `${origin}: the value of the header ${name} is invalid`);
    }
  }
}

/** Asks once more when there is a connection, right before the request is written. */
const askedAgain =
  (mayProceed: () => boolean): Dispatcher.DispatcherComposeInterceptor =>
  dispatch =>
  (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        handler.onRequestStart?.(controller, context);
        if (!mayProceed()) controller.abort(calledOff());
      },
      onResponseStart: (...told) => handler.onResponseStart?.(...told),
      onResponseData: (...told) => handler.onResponseData?.(...told),
      onResponseEnd: (...told) => handler.onResponseEnd?.(...told),
      onResponseError: (...told) => handler.onResponseError?.(...told),
    });

async function dispatched(sending: Sending, request: ServerRequest): Promise<Dispatcher.ResponseData> {
  const { connections, files, mayProceed, signal } = sending;
  const agent: Agent = await connections.agentFor(request.origin, files);
  signal.throwIfAborted();
  if (!mayProceed()) throw calledOff();
  try {
    return await agent.compose(askedAgain(mayProceed)).request({ ...request, signal });
  } catch (error) {
    // It keeps the place that it had in the agent.
    if (UNSENDABLE.has(errorCode(error))) connections.drop(agent);
    throw error;
  }
}

export async function sendRequest(
  sending: Sending,
  request: ServerRequest,
): Promise<Dispatcher.ResponseData> {
  refuseBadHeaders(request);
  const { signal } = sending;
  signal.throwIfAborted();
  return abortable(signal, dispatched(sending, request));
}
