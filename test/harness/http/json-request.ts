import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ClientCertificate } from '../certificates/certificates.ts';

export interface TlsContents {
  readonly ca: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export const readTlsFiles = ({ caPath, cert, key }: ClientCertificate): TlsContents => ({
  ca: readFileSync(caPath),
  cert: readFileSync(cert),
  key: readFileSync(key),
});

export interface JsonRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly tls?: TlsContents | undefined;
  readonly timeoutMs?: number;
}

export interface JsonResponse {
  readonly status: number;
  /** The text if it is not JSON. */
  readonly body: unknown;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sends one request on its own connection. */
export function requestJson(url: string, options: JsonRequest = {}): Promise<JsonResponse> {
  const { method = 'GET', headers = {}, body, tls, timeoutMs = 10_000 } = options;
  const text = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
      method,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...(text === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
      ...tls,
    });
    request.once('error', reject);
    request.once('response', response => {
      let received = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk;
      });
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: parseJson(received) }));
    });
    request.end(text);
  });
}
