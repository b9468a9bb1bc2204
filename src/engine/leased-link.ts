import type { Argv, Question, Ran } from '../domain/command.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { ContactResult } from '../domain/work/agenda.ts';
import type { Connection, Target, Transport } from '../drivers/transport/transport.ts';
import type { HostLink, RunOptions } from '../operations/step.ts';
import type { Lease } from './lease.ts';

interface LinkPorts {
  readonly transport: Transport;
  readonly lease: Pick<Lease, 'signal' | 'isHeld' | 'require'>;
  readonly connectTimeoutMs: number;
  readonly tcpTimeoutMs?: number | undefined;
}

/** One connection to a host, opened when it is first needed, and the only way to it. Without a lease nothing goes through. */
export class LeasedLink implements HostLink {
  readonly #ports: LinkPorts;
  readonly #target: () => Promise<Target | TransportFailure>;
  #connection: Connection | undefined;
  #contact: ContactResult | undefined;
  #answers = 0;

  /** `target` is asked anew for each connection: keys are learnt on the way. */
  constructor(ports: LinkPorts, target: () => Promise<Target | TransportFailure>) {
    this.#ports = ports;
    this.#target = target;
  }

  /** How the last contact with the host ended; `undefined`: there was none. */
  get contact(): ContactResult | undefined {
    return this.#contact;
  }

  /** How often the host has answered. */
  get answers(): number {
    return this.#answers;
  }

  async hostKey(): Promise<string | TransportFailure> {
    const connection = await this.#connect();
    return connection instanceof TransportFailure ? connection : connection.hostKey;
  }

  async run(argv: Argv, options: RunOptions): Promise<Ran | TransportFailure> {
    const connection = await this.#connect();
    if (connection instanceof TransportFailure) return connection;
    const { lease } = this.#ports;
    lease.require();
    const ran = await connection.run(argv, { ...options, ...this.#allowance });
    lease.require();
    this.#note(ran);
    if (ran instanceof TransportFailure) this.close();
    return ran;
  }

  async ask<T>(question: Question<T>, options: RunOptions): Promise<T | TransportFailure | undefined> {
    const ran = await this.run(question.argv, options);
    return ran instanceof TransportFailure ? ran : question.read(ran);
  }

  #note(result: Connection | Ran | TransportFailure): void {
    this.#contact = result instanceof TransportFailure ? 'failed' : 'answered';
    if (this.#contact === 'answered') this.#answers += 1;
  }

  get #allowance() {
    const { lease } = this.#ports;
    return { signal: lease.signal, mayProceed: () => lease.isHeld() };
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  async #connect(): Promise<Connection | TransportFailure> {
    if (this.#connection) return this.#connection;
    const { transport, lease, connectTimeoutMs, tcpTimeoutMs } = this.#ports;
    const target = await this.#target();
    if (target instanceof TransportFailure) return target;
    lease.require();
    const limits = { timeoutMs: connectTimeoutMs, tcpTimeoutMs, ...this.#allowance };
    const opened = await transport.connect(target, limits);
    if (opened instanceof TransportFailure) {
      lease.require();
      this.#note(opened);
      return opened;
    }
    this.#connection = opened;
    this.#note(opened);
    lease.require();
    return opened;
  }
}
