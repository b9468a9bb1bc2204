import type { ServerResponse } from 'node:http';
import type { ResponseFault } from '../faults.ts';
import { applyFault } from '../http/apply-fault.ts';
import type { LoggedRequest, Match } from './request-log.ts';
import { isMatch } from './request-log.ts';

/** A response fault of certain requests. */
export interface MatchedFault {
  readonly match: Match;
  /** Default: until it is cleared. */
  readonly times?: number;
  readonly do: ResponseFault;
}

export type Hook = (request: LoggedRequest) => void | Promise<void>;

interface LimitedMatch<Value> {
  readonly match: Match;
  readonly value: Value;
  remaining: number;
}

/** Faults of requests, and hooks that run before a request is handled. */
export class ResponseFaults {
  #faults: LimitedMatch<ResponseFault>[] = [];
  #hooks: LimitedMatch<Hook>[] = [];

  /** Returns a function that removes the fault. */
  add({ match, times = Number.POSITIVE_INFINITY, do: value }: MatchedFault): () => void {
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
    applyFault(response, fault);
    if (response.headersSent) request.status = response.statusCode;
    return true;
  }
}

function takeMatching<Value>(all: readonly LimitedMatch<Value>[], request: LoggedRequest, max = all.length): Value[] {
  const matching = all.filter(entry => entry.remaining > 0 && isMatch(entry.match, request)).slice(0, max);
  for (const entry of matching) entry.remaining -= 1;
  return matching.map(entry => entry.value);
}
