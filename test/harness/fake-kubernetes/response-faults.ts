import type { ServerResponse } from 'node:http';
import type { Fields } from './objects.ts';
import type { LoggedRequest, Match } from './request-log.ts';
import { isMatch } from './request-log.ts';

/**
 * `hang`: no response. `reset`: the connection breaks. `slow bytes`: an endless response. `garbage`: not
 * JSON. `truncated`: an incomplete response.
 */
export type ResponseFaultKind =
  | 'hang'
  | 'reset'
  | 'slow bytes'
  | 'garbage'
  | 'truncated'
  | { readonly status: number; readonly body: Fields | string; readonly headers?: Record<string, string> };

export interface ResponseFault {
  readonly match: Match;
  /** Default: until it is cleared. */
  readonly times?: number;
  readonly do: ResponseFaultKind;
}

export type Hook = (request: LoggedRequest) => void | Promise<void>;

interface LimitedMatch<Value> {
  readonly match: Match;
  readonly value: Value;
  remaining: number;
}

const SLOW_BYTE_MS = 20;

/** Faults of requests, and hooks that run before a request is handled. */
export class ResponseFaults {
  #faults: LimitedMatch<ResponseFaultKind>[] = [];
  #hooks: LimitedMatch<Hook>[] = [];

  /** Returns a function that removes the fault. */
  add({ match, times = Number.POSITIVE_INFINITY, do: value }: ResponseFault): () => void {
    const counted = { match, value, remaining: times };
    this.#faults.push(counted);
    return () => {
      this.#faults = this.#faults.filter(entry => entry !== counted);
    };
  }

  before(match: Match, hook: Hook, times: number): void {
    this.#hooks.push({ match, value: hook, remaining: times });
  }

  clear(): void {
    this.#faults = [];
    this.#hooks = [];
  }

  async runHooks(request: LoggedRequest): Promise<void> {
    for (const hook of takeMatching(this.#hooks, request)) await hook(request);
  }

  /** Returns whether a fault replaced the response. */
  apply(request: LoggedRequest, response: ServerResponse): boolean {
    const [fault] = takeMatching(this.#faults, request, 1);
    if (fault === undefined) return false;
    applyFault(fault, request, response);
    return true;
  }
}

function takeMatching<Value>(all: readonly LimitedMatch<Value>[], request: LoggedRequest, max = all.length): Value[] {
  const matching = all.filter(entry => entry.remaining > 0 && isMatch(entry.match, request)).slice(0, max);
  for (const entry of matching) entry.remaining -= 1;
  return matching.map(entry => entry.value);
}

function applyFault(fault: ResponseFaultKind, request: LoggedRequest, response: ServerResponse): void {
  if (fault === 'hang') return;
  if (fault === 'reset') {
    response.socket?.destroy();
    return;
  }
  request.status = typeof fault === 'object' ? fault.status : 200;
  if (typeof fault === 'object') {
    const isText = typeof fault.body === 'string';
    response.writeHead(fault.status, {
      'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
      ...fault.headers,
    });
    response.end(isText ? fault.body : JSON.stringify(fault.body));
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  if (fault === 'garbage') response.end('<html>not from the API at all');
  else if (fault === 'truncated') response.write('{"kind":"Status","me', () => response.socket?.destroy());
  else sendSlowly(response);
}

function sendSlowly(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), SLOW_BYTE_MS);
  response.on('close', () => clearInterval(timer));
}
