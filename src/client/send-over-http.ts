import type { IncomingMessage, RequestOptions } from 'node:http';
import type { Answered, Request } from './client.ts';

/** As fetch has it. */
const ANSWER_WITHIN_MS = 300_000;

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : [value].flat().join(', ');
}

/** A connection that was kept may have been closed by the server when the request was on its way. */
class KeptTooLong extends Error {}

/** An import would read every name in it, and so load fetch as well. */
const requestOf = ({ protocol }: URL) =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http').request;

async function sendOnce(url: URL, { method, headers, body, signal }: Request): Promise<Answered> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options: RequestOptions = {
    ...{ method, headers: { ...headers, ...length }, timeout: ANSWER_WITHIN_MS },
    ...(signal && { signal }),
  };
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = requestOf(url)(url, options, resolve);
    sent.on('timeout', () => sent.destroy(new Error(`no response within ${ANSWER_WITHIN_MS / 1000} s`)));
    sent.on('error', (error: NodeJS.ErrnoException) =>
      reject(sent.reusedSocket && error.code === 'ECONNRESET' ? new KeptTooLong() : error),
    );
    sent.end(body);
  });
  const { statusCode: status = 0, statusMessage: statusText = '' } = message;
  return {
    ...{ status, statusText, ok: status >= 200 && status < 300 },
    headers: { get: name => headerOf(message, name) },
    text: () => textOf(message),
  };
}

/** What fetch does for us, in a fifth of its time to start: it takes longer to load than most commands to run. Redirects are no answers of ours, and are not followed. */
export async function sendOverHttp(url: URL, request: Request): Promise<Answered> {
  for (;;) {
    try {
      return await sendOnce(url, request);
    } catch (error) {
      if (!(error instanceof KeptTooLong)) throw error;
    }
  }
}
