// Adds the last requests with `fetch` of a failed test to its error message, so that they can be repeated with curl.

import { afterEach, beforeEach } from 'vitest';

const MAX_REQUESTS = 8;
const MAX_BODY_CHARACTERS = 300;

/** Vitest loads this module for each test file, but replaces `fetch` only once per process. */
const shared: typeof globalThis & { recordedRequests?: RecordedRequest[] } = globalThis;

interface RecordedRequest {
  text: string;
}

function formatUser(authorization: string | null): string {
  const [, encoded] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
  return encoded === undefined ? '' : ` as ${Buffer.from(encoded, 'base64').toString().split(':')[0]}`;
}

function formatRequest(url: string, { method = 'GET', headers, body }: RequestInit = {}): string {
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  const text = isText ? ` ${Buffer.from(body).toString().slice(0, MAX_BODY_CHARACTERS)}` : '';
  return `${method} ${url}${formatUser(new Headers(headers).get('authorization'))}${text}`;
}

/** Returns the last requests, the newest at the end. */
function recordRequests(): RecordedRequest[] {
  const last: RecordedRequest[] = [];
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = { text: formatRequest(input instanceof Request ? input.url : String(input), init) };
    last.push(request);
    if (last.length > MAX_REQUESTS) last.shift();
    try {
      const response = await send(input, init);
      request.text += ` -> ${response.status}`;
      return response;
    } catch (error) {
      request.text += ` -> ${error}`;
      throw error;
    }
  };
  return last;
}

shared.recordedRequests ??= recordRequests();
const requests = shared.recordedRequests;

beforeEach(() => {
  requests.length = 0;
});

afterEach(({ task }) => {
  if (task.result?.state !== 'fail' || requests.length === 0) return;
  const list = requests.map(({ text }) => `  ${text}`).join('\n');
  for (const error of task.result.errors ?? []) error.message += `\n\nLast requests of this test:\n${list}\n`;
});
