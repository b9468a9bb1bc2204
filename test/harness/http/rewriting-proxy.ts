// A proxy in front of a test service that records requests and changes JSON responses. It lets tests show answers that are hard to
// bring about with simulated hosts.

import type { IncomingMessage } from 'node:http';
import { createServer, request as httpRequest } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '../listen.ts';

export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  /** Parsed JSON; `undefined` without a body. */
  readonly body: unknown;
}

interface RewritingProxy {
  readonly url: string;
  /** In the order in which they arrived. */
  readonly requests: readonly ProxiedRequest[];
}

/** Returns the response to send instead, or `undefined` to leave it unchanged. */
export type Rewrite = (request: ProxiedRequest, response: Record<string, unknown>) => object | undefined;

async function readBytes(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const parseJson = (bytes: Buffer): unknown => (bytes.length === 0 ? undefined : JSON.parse(bytes.toString()));

const isJson = ({ headers }: IncomingMessage) =>
  headers['content-type']?.startsWith('application/json') === true;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Stops at the end of the test. */
export async function startRewritingProxy(target: string, rewrite: Rewrite): Promise<RewritingProxy> {
  const requests: ProxiedRequest[] = [];
  const server = createServer(async (request, response) => {
    const sent = await readBytes(request);
    const { method = '', url: path = '' } = request;
    const proxied = { method, path, body: parseJson(sent) };
    requests.push(proxied);
    const { 'accept-encoding': _encoding, ...headers } = request.headers;
    const onward = httpRequest(new URL(path, target), { method, headers }, async answer => {
      const status = answer.statusCode ?? 0;
      if (!isJson(answer)) {
        response.writeHead(status, answer.headers);
        answer.pipe(response);
        return;
      }
      const bytes = await readBytes(answer);
      const value = parseJson(bytes);
      const changed = isObject(value) ? rewrite(proxied, value) : undefined;
      const body = changed === undefined ? bytes : Buffer.from(JSON.stringify(changed));
      response.writeHead(status, { ...answer.headers, 'content-length': body.length }).end(body);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(sent);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, requests };
}
