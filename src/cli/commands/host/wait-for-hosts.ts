// Waits until hosts are ready, or have failed. What must hold: nothing is missed, whatever becomes of single servers. So the position of
// the events is read first, then how each host is, and then what has happened since that position.

import { RequestRefused } from '../../../client/client.ts';
import type { FollowedEvent } from '../../../client/follow-events.ts';
import { isPassing } from '../../../client/is-passing.ts';
import { positionOf } from '../../../client/position-of.ts';
import type { HostStatus } from '../../../domain/vocabulary.ts';
import { sleep } from '../../../lib/time/sleep.ts';
import { atOnce } from '../../at-once.ts';
import type { Session } from '../../session.ts';
import type { StatusReport } from './status-fields.ts';
import { workText } from './status-fields.ts';

/** How it is with a host when the waiting is over. */
export interface Waited {
  readonly address: string;
  readonly status: HostStatus | 'removed';
  readonly isReady: boolean;
  /** Why it failed, or what it still waits for. */
  readonly reason: string;
}

export interface WaitOptions {
  readonly timeoutMs: number;
  /** Ends it before its time. */
  readonly signal: AbortSignal;
  /** Of each host, once it is ready or has failed. */
  readonly told: (waited: Waited) => void;
}

const PAUSE_MS = 1000;
const TELLING = ['host.status', 'host.removed'];

/** Without a cluster there is no more to become than bootstrapped. */
function isReady({ status, cluster }: StatusReport['host']): boolean {
  return status === 'active' || (status === 'disassociated' && cluster === undefined);
}

function waitedOf(address: string, { host }: StatusReport): Waited {
  const { status, reason = '', tasks } = host;
  return { address, status, isReady: isReady(host), reason: reason || tasks.map(workText).join('; ') };
}

const isOver = ({ isReady: is, status }: Waited) => is || status === 'failed' || status === 'removed';

class Waiting {
  readonly #session: Session;
  readonly #over: AbortSignal;
  readonly #told: WaitOptions['told'];
  /** How each was when it was last looked at. */
  readonly seen = new Map<string, Waited>();
  readonly left: Set<string>;

  constructor(session: Session, addresses: readonly string[], over: AbortSignal, told: WaitOptions['told']) {
    this.#session = session;
    this.#over = over;
    this.#told = told;
    this.left = new Set(addresses);
  }

  async lookAtAll(): Promise<void> {
    await atOnce([...this.left], address => this.#lookAt(address));
  }

  async hear(event: FollowedEvent): Promise<void> {
    if (event.type === 'reset') return this.lookAtAll();
    if (!('id' in event) || event.host === null || !TELLING.includes(event.type)) return;
    if (this.left.has(event.host)) await this.#lookAt(event.host);
  }

  async #lookAt(address: string): Promise<void> {
    const waited = await this.#ask(address);
    if (waited === undefined) return;
    this.seen.set(address, waited);
    if (!isOver(waited) || !this.left.delete(address)) return;
    this.#told(waited);
  }

  /** `undefined`: the time is over. */
  async #ask(address: string): Promise<Waited | undefined> {
    const { client } = this.#session;
    try {
      const reply = await this.patiently(() => client.getHostStatus({ address, signal: this.#over }));
      return reply && waitedOf(address, reply.body);
    } catch (error) {
      if (error instanceof RequestRefused && error.status === 404)
        return { address, status: 'removed', isReady: false, reason: 'another user removed it' };
      throw error;
    }
  }

  /** Servers that stop come back, or another answers. `undefined`: the time is over. */
  async patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    while (!this.#over.aborted) {
      try {
        return await ask();
      } catch (error) {
        if (!isPassing(error)) throw error;
        await sleep(this.#session.terminal.clock, PAUSE_MS, this.#over);
      }
    }
    return undefined;
  }
}

/** Answers how each is in the end; those that are neither ready nor failed are as they were when the time was over. */
export async function waitForHosts(
  session: Session,
  addresses: readonly string[],
  { timeoutMs, signal, told }: WaitOptions,
): Promise<readonly Waited[]> {
  const time = new AbortController();
  const callOff = session.terminal.clock.after(timeoutMs, () => time.abort());
  const over = AbortSignal.any([time.signal, signal]);
  const waiting = new Waiting(session, addresses, over, told);
  try {
    const reply = await waiting.patiently(() => session.client.listHosts({ query: { limit: 1 } }));
    const after = reply === undefined ? 0 : positionOf(reply.headers);
    await waiting.lookAtAll();
    const [only] = addresses;
    const query = { after, ...(addresses.length === 1 && only !== undefined && { host: only }) };
    if (waiting.left.size > 0)
      for await (const event of session.follow({ query, signal: over })) {
        await waiting.hear(event);
        if (waiting.left.size === 0) break;
      }
  } finally {
    callOff();
    time.abort();
  }
  return addresses.map(
    address =>
      waiting.seen.get(address) ?? {
        address,
        status: 'investigating',
        isReady: false,
        reason: 'status unknown, because no server responded',
      },
  );
}
