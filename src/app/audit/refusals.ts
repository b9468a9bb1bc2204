// What was refused, on its way into the log. A flood of refusals must not cost a write each, nor fill the log: so they are gathered,
// and written at most once a second. What must hold: nothing of a body, a query or a name that is no account's gets into the log. What
// was gathered and not written, a minute's count at most, is lost with a server that is killed.

import type { Actor } from '../../domain/accounts/account.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Log } from '../../lib/log.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';
import { Pacer } from '../../lib/time/pacer.ts';
import type { Store } from '../../store/store.ts';
import type { Countable } from './gathered-happenings.ts';
import { GatheredHappenings } from './gathered-happenings.ts';

export interface RefusedRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** What the path names first; the path itself where it names nothing. */
  readonly subject: string;
  readonly cluster: RecordName | null;
  readonly host: Address | null;
  readonly operation: string | null;
  readonly status: number;
  readonly code: ErrorCode;
}

export interface RefusedLogin {
  /** `undefined`: there is no such account, or nobody has looked. */
  readonly account: RecordName | undefined;
  readonly address: string;
  readonly code: ErrorCode;
}

interface RefusalPorts {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: AlarmClock;
  readonly log: Pick<Log, 'warn'>;
}

const PACE_MS = 1000;
/** Different ones in a minute, in all and of one account. */
const REQUESTS = { total: 1000, ofGroup: 100 };
const LOGINS = { total: 100, ofGroup: 100 };
/** One for each account that has no room any more, and two for all others. */
const LEFT_OUT = { total: 100, ofGroup: 100 };

export class Refusals {
  readonly #ports: RefusalPorts;
  readonly #requests: GatheredHappenings;
  readonly #logins: GatheredHappenings;
  readonly #leftOut: GatheredHappenings;
  readonly #pacer: Pacer;
  #writing: Promise<void> = Promise.resolve();

  constructor(ports: RefusalPorts) {
    this.#ports = ports;
    this.#requests = new GatheredHappenings(ports.clock, REQUESTS);
    this.#logins = new GatheredHappenings(ports.clock, LOGINS);
    this.#leftOut = new GatheredHappenings(ports.clock, LEFT_OUT);
    this.#pacer = new Pacer(ports.clock, PACE_MS, () => this.#writeSome());
  }

  /** Somebody whom we know was refused something. */
  request(actor: Actor, { subject, cluster, host, operation, ...refused }: RefusedRequest): void {
    const { method, path, status, code } = refused;
    const token = actor.token?.name;
    this.#gather(this.#requests, {
      actor,
      group: actor.account,
      happening: count => ({
        type: 'request.denied',
        subject,
        cluster,
        ...(host && { host }),
        ...(operation && { operation }),
        data: { method, path, status, code, ...(token && { token }), count },
      }),
    });
  }

  /** Somebody was not let in. */
  login({ account, address, code }: RefusedLogin): void {
    this.#gather(this.#logins, {
      actor: { ...LOCAL_ACTOR, address },
      group: '',
      happening: count => ({
        type: 'account.login_failed',
        subject: account ?? '',
        data: { account_exists: account !== undefined, code, count },
      }),
    });
  }

  /** Writes what is due now. */
  flush(): Promise<void> {
    return this.#write();
  }

  /** Writes all that is left. */
  async stop(): Promise<void> {
    await this.#pacer.stop();
    await this.#write({ isAll: true }).catch(() => {});
  }

  #gather(gathered: GatheredHappenings, one: Countable): void {
    const outcome = gathered.add(one);
    if (outcome !== 'counted') {
      const { type } = one.happening(1);
      this.#leftOut.add({
        actor: outcome === 'group' ? { ...LOCAL_ACTOR, account: one.actor.account } : LOCAL_ACTOR,
        group: '',
        happening: count => ({ type: 'request.denials_suppressed', subject: '', data: { type, count } }),
      });
    }
    this.#pacer.doIn(0);
  }

  async #writeSome(): Promise<void> {
    try {
      await this.#write();
      this.#pacer.doIn(Math.min(...this.#all.map(({ dueInMs }) => dueInMs)));
    } catch (error) {
      this.#ports.log.warn({ err: error }, 'cannot record denied requests in the audit log; retrying');
      this.#pacer.doIn(PACE_MS);
    }
  }

  get #all() {
    return [this.#requests, this.#logins, this.#leftOut];
  }

  /** One after the other, so that nothing is written twice. */
  #write(which: { readonly isAll?: boolean } = {}): Promise<void> {
    const write = async () => {
      const due = this.#all.map(gathered => gathered.due(which));
      const entries = due.flatMap(part => part.entries);
      if (entries.length > 0) await this.#ports.store.transaction(({ outbox }) => outbox.add(entries));
      for (const part of due) part.written();
    };
    const written = this.#writing.then(write);
    this.#writing = written.catch(() => {});
    return written;
  }
}
