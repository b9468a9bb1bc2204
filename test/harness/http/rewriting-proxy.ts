// A proxy in front of a test server that records requests and changes JSON responses, for responses that are
// hard to produce with simulated hosts.

import type { IncomingMessage } from 'node:http';
import { createServer, request as httpRequest } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from './sockets.ts';

interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  /** Parsed JSON; `undefined` without a body. */
  readonly body: unknown;
}

interface RewritingProxy {
  readonly url: string;
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

const isJson = ({ headers }: IncomingMessage) => headers['content-type']?.startsWith('application/json') === true;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Stops at the end of the test. */
export async function startRewritingProxy(target: string, rewrite: Rewrite): Promise<RewritingProxy> {
  const requests: ProxiedRequest[] = [];
  const server = createServer(async (request, response) => {
    const requestBody = await readBytes(request);
    const { method = '', url: path = '' } = request;
    const proxied = { method, path, body: parseJson(requestBody) };
    requests.push(proxied);
    const { 'accept-encoding': _encoding, ...headers } = request.headers;
    const upstream = httpRequest(new URL(path, target), { method, headers }, async proxyResponse => {
      const status = proxyResponse.statusCode ?? 0;
      if (!isJson(proxyResponse)) {
        response.writeHead(status, proxyResponse.headers);
        proxyResponse.pipe(response);
        return;
      }
      const bytes = await readBytes(proxyResponse);
      const value = parseJson(bytes);
      const changed = isObject(value) ? rewrite(proxied, value) : undefined;
      const body = changed === undefined ? bytes : Buffer.from(JSON.stringify(changed));
      response.writeHead(status, { ...proxyResponse.headers, 'content-length': body.length }).end(body);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    upstream.end(requestBody);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, requests };
}
