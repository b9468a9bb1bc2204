import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ClientCertificate } from '../certificates/certificates.ts';

export interface TlsContents {
  readonly ca: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export const tlsContentsOf = ({ caPath, cert, key }: ClientCertificate): TlsContents => ({
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

export interface JsonAnswer {
  readonly status: number;
  /** As it was sent, if it is no JSON. */
  readonly body: unknown;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** One request on a connection of its own, to a server that speaks JSON. */
export function requestJson(url: string, options: JsonRequest = {}): Promise<JsonAnswer> {
  const { method = 'GET', headers = {}, body, tls, timeoutMs = 10_000 } = options;
  const text = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
      method,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...(text === ''
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
      ...tls,
    });
    request.once('error', reject);
    request.once('response', response => {
      let answer = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        answer += part;
      });
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(answer) }));
    });
    request.end(text);
  });
}
