import type { ServerResponse } from 'node:http';
import type { Fields } from './objects.ts';
import type { LoggedRequest, Match } from './request-log.ts';
import { isMatch } from './request-log.ts';

/** hang: no answer, ever. reset: the connection breaks. slow bytes: an answer without end. garbage: no JSON. cut off: half an answer. */
export type FaultKind =
  | 'hang'
  | 'reset'
  | 'slow bytes'
  | 'garbage'
  | 'cut off'
  | { readonly status: number; readonly body: Fields | string; readonly headers?: Record<string, string> };

export interface Fault {
  readonly match: Match;
  /** Default: until it is mended. */
  readonly times?: number;
  readonly do: FaultKind;
}

export type Hook = (request: LoggedRequest) => void | Promise<void>;

interface Counted<Thing> {
  readonly match: Match;
  readonly thing: Thing;
  left: number;
}

const SLOW_BYTE_MS = 20;

/** What tests do to requests: things that go wrong, and code that runs just before one is answered. */
export class Faults {
  #faults: Counted<FaultKind>[] = [];
  #hooks: Counted<Hook>[] = [];

  /** Answers what mends it. */
  add({ match, times = Number.POSITIVE_INFINITY, do: thing }: Fault): () => void {
    const counted = { match, thing, left: times };
    this.#faults.push(counted);
    return () => {
      this.#faults = this.#faults.filter(one => one !== counted);
    };
  }

  before(match: Match, hook: Hook, times: number): void {
    this.#hooks.push({ match, thing: hook, left: times });
  }

  mendAll(): void {
    this.#faults = [];
    this.#hooks = [];
  }

  async runHooks(request: LoggedRequest): Promise<void> {
    for (const hook of take(this.#hooks, request)) await hook(request);
  }

  /** Whether the request has been dealt with, in whatever way. */
  strike(request: LoggedRequest, response: ServerResponse): boolean {
    const [fault] = take(this.#faults, request, 1);
    if (fault === undefined) return false;
    suffer(fault, request, response);
    return true;
  }
}

function take<Thing>(all: readonly Counted<Thing>[], request: LoggedRequest, most = all.length): Thing[] {
  const chosen = all.filter(one => one.left > 0 && isMatch(one.match, request)).slice(0, most);
  for (const one of chosen) one.left -= 1;
  return chosen.map(one => one.thing);
}

function suffer(fault: FaultKind, request: LoggedRequest, response: ServerResponse): void {
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
  else if (fault === 'cut off') response.write('{"kind":"Status","me', () => response.socket?.destroy());
  else drip(response);
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), SLOW_BYTE_MS);
  response.on('close', () => clearInterval(timer));
}
