import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../lib/errors/message-of.ts';
import type { Connections } from '../connections.ts';
import { JsonServer } from '../json-server.ts';
import { ServerFailure } from '../server-failure.ts';
import type { TlsFiles } from '../tls-files.ts';
import { EtcdRefusal } from './etcd-refusal.ts';

export interface EtcdAccess {
  /** The client URLs of its members, one at least. */
  readonly endpoints: readonly string[];
  readonly files?: TlsFiles;
  readonly connections: Connections;
  readonly mayProceed?: () => boolean;
  /** For whatever is asked, with all members that are tried for it. Default: 15 s. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
/** A member that is not alone is not waited for longer: another may answer. */
const ONE_OF_MANY_MS = 2000;
/** A new leader is found within a second or two. */
const PAUSE_MS = 200;

/** A member without a leader then says so at once, instead of waiting for one. */
const HEADERS = { 'grpc-metadata-hasleader': 'true' };

/** Which member answered last, by the URLs of all; clients come and go, their connections stay. */
const answeredLast = new WeakMap<Connections, Map<string, number>>();

/** The members of one etcd. What one does not answer is asked of the next, and of all again while they look for a leader. */
export class EtcdMembers {
  readonly #servers: readonly JsonServer[];
  readonly #timeoutMs: number;
  readonly #last: Map<string, number>;
  readonly #name: string;

  constructor({ endpoints, files = {}, connections, mayProceed, timeoutMs = TIMEOUT_MS }: EtcdAccess) {
    const { length } = endpoints;
    if (length === 0) throw new Error('no etcd endpoint is set');
    const triedMs = length === 1 ? timeoutMs : Math.min(ONE_OF_MANY_MS, Math.ceil(timeoutMs / (length + 1)));
    this.#servers = endpoints.map(
      url =>
        new JsonServer({
          ...{ url, files, connections, headers: HEADERS, timeoutMs: triedMs },
          ...(mayProceed && { mayProceed }),
        }),
    );
    this.#timeoutMs = timeoutMs;
    this.#name = endpoints.join(' ');
    this.#last = answeredLast.get(connections) ?? new Map();
    answeredLast.set(connections, this.#last);
  }

  /** What the first says that answers. */
  call(path: string, body: unknown): Promise<unknown> {
    return this.ask(async (server, signal) => {
      const answer = await server.call({ method: 'POST', path, body, signal });
      if (answer.status !== 200) throw new EtcdRefusal(server.name, answer, server.isVerified);
      return answer.body;
    });
  }

  async ask<T>(ask: (server: JsonServer, signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = AbortSignal.timeout(this.#timeoutMs);
    for (;;) {
      const failures: unknown[] = [];
      for (const { server, index } of this.#inTurn()) {
        try {
          const answer = await ask(server, limit);
          this.#last.set(this.#name, index);
          return answer;
        } catch (error) {
          if (!isOfOneMember(error)) throw error;
          failures.push(error);
        }
        if (limit.aborted) break;
      }
      if (limit.aborted || !failures.some(isWorthAnotherRound)) throw summedUp(failures);
      await delay(PAUSE_MS);
    }
  }

  /** The one that answered last comes first. */
  #inTurn(): { readonly server: JsonServer; readonly index: number }[] {
    const first = this.#last.get(this.#name) ?? 0;
    const all = this.#servers.map((server, index) => ({ server, index }));
    return [...all.slice(first), ...all.slice(0, first)];
  }
}

/** Whether another member may do better. */
const isOfOneMember = (error: unknown): boolean =>
  error instanceof ServerFailure
    ? error.kind !== 'called_off'
    : error instanceof EtcdRefusal && error.isPassing;

/** Whether they may all do better in a moment. */
const isWorthAnotherRound = (error: unknown): boolean =>
  error instanceof ServerFailure ? error.kind === 'timed_out' : isOfOneMember(error);

/** A message is for people: of many members, the first few will do. */
const MOST_QUOTED = 3;

/** What each said, in one message. */
function summedUp(failures: readonly unknown[]): unknown {
  if (failures.length === 1) return failures[0];
  const messages = new Set(failures.map(messageOf));
  const kind = failures.find(failure => failure instanceof ServerFailure)?.kind ?? 'timed_out';
  const quoted = [...messages].slice(0, MOST_QUOTED).join('; ');
  return new ServerFailure(kind, `no etcd member responds: ${quoted}`);
}
