import type { IncomingMessage, RequestOptions } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { HttpRequest, HttpResponse } from './client.ts';

/** The same as in fetch. */
const RESPONSE_TIMEOUT_MS = 300_000;

function getHeader({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : [value].flat().join(', ');
}

/** The server closed an idle keep-alive connection while the request was sent. */
class StaleConnectionError extends Error {}

/** An import would read all exports of the module and thereby load fetch. */
const getRequestFunction = ({ protocol }: URL) =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http').request;

async function sendOnce(url: URL, { method, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options: RequestOptions = {
    method,
    headers: { ...headers, ...length },
    timeout: RESPONSE_TIMEOUT_MS,
    ...(signal && { signal }),
  };
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const clientRequest = getRequestFunction(url)(url, options, resolve);
    clientRequest.on('timeout', () =>
      clientRequest.destroy(new Error(`no response within ${RESPONSE_TIMEOUT_MS / 1000} s`)),
    );
    clientRequest.on('error', (error: NodeJS.ErrnoException) =>
      reject(clientRequest.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnectionError() : error),
    );
    clientRequest.end(body);
  });
  const { statusCode: status = 0, statusMessage: statusText = '' } = message;
  return {
    status,
    statusText,
    ok: status >= 200 && status < 300,
    headers: { get: name => getHeader(message, name) },
    text: async () => (await buffer(message)).toString('utf8'),
  };
}

/** Replaces fetch, which is slow to load. It does not follow redirects, because Hostler never sends them. */
export async function nodeTransport(url: URL, request: HttpRequest): Promise<HttpResponse> {
  for (;;) {
    try {
      return await sendOnce(url, request);
    } catch (error) {
      if (!(error instanceof StaleConnectionError)) throw error;
    }
  }
}
