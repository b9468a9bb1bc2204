import type { Argv, CommandResult, HostQuery } from '../domain/command.ts';
import { SecretDamagedError } from '../domain/errors.ts';
import type { Host, HostAccess } from '../domain/hosts/host.ts';
import { requireServiceKey, Secret, serviceKeyLocation, sshPrivateKeyLocation } from '../domain/secret.ts';
import type { ContactResult } from '../domain/tasks/host-queue.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { Connection, Target, Transport } from '../drivers/transport/transport.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import type { HostConnection, RunOptions } from '../procedures/step.ts';
import type { Lease } from './lease.ts';
import type { LogFields } from './observe-transport.ts';
import { logTransport } from './observe-transport.ts';
import type { EnginePorts } from './ports.ts';

interface ConnectionPorts {
  readonly transport: Transport;
  readonly clock: Pick<TimerClock, 'monotonicMs'>;
  readonly lease: Pick<Lease, 'signal' | 'isHeld' | 'assertHeld'>;
  readonly connectTimeoutMs: number;
  readonly tcpTimeoutMs?: number | undefined;
}

/** `atMs`: of the monotonic clock. */
export interface HostContact {
  readonly result: ContactResult;
  readonly atMs: number;
}

/** The only connection from a task or check to its host. It sends nothing without a lease. */
export class FencedHostConnection implements HostConnection {
  readonly #ports: ConnectionPorts;
  readonly #target: () => Promise<Target | TransportFailure>;
  #connection: Connection | undefined;
  #lastContact: HostContact | undefined;

  /** `target` is called for each new connection, because host keys can be pinned between two connections. */
  constructor(ports: ConnectionPorts, target: () => Promise<Target | TransportFailure>) {
    this.#ports = ports;
    this.#target = target;
  }

  get lastContact(): HostContact | undefined {
    return this.#lastContact;
  }

  async hostKey(): Promise<string | TransportFailure> {
    const connection = await this.#connect();
    return connection instanceof TransportFailure ? connection : connection.hostKey;
  }

  async run(argv: Argv, options: RunOptions): Promise<CommandResult | TransportFailure> {
    const connection = await this.#connect();
    if (connection instanceof TransportFailure) return connection;
    const { lease } = this.#ports;
    lease.assertHeld();
    const result = await connection.run(argv, { ...options, ...this.#leaseLimits });
    lease.assertHeld();
    this.#recordContact(result);
    if (result instanceof TransportFailure) this.close();
    return result;
  }

  async query<T>(hostQuery: HostQuery<T>, options: RunOptions): Promise<T | TransportFailure | undefined> {
    const result = await this.run(hostQuery.argv, options);
    return result instanceof TransportFailure ? result : hostQuery.parse(result);
  }

  #recordContact(result: Connection | CommandResult | TransportFailure): void {
    this.#lastContact = {
      result: result instanceof TransportFailure ? 'failed' : 'responded',
      atMs: this.#ports.clock.monotonicMs(),
    };
  }

  get #leaseLimits() {
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
    lease.assertHeld();
    const limits = { timeoutMs: connectTimeoutMs, tcpTimeoutMs, ...this.#leaseLimits };
    const opened = await transport.connect(target, limits);
    if (opened instanceof TransportFailure) {
      lease.assertHeld();
      this.#recordContact(opened);
      return opened;
    }
    this.#connection = opened;
    this.#recordContact(opened);
    lease.assertHeld();
    return opened;
  }
}

/** Identifies one enrolment, because another host can be enrolled at the same address later. */
type EnrolledHost = Pick<Host, 'address' | 'enrolment'>;

/** Base64. */
async function loadPrivateKey(
  { store, vault }: EnginePorts,
  { address }: EnrolledHost,
  { sshPrivKey }: HostAccess,
): Promise<Secret> {
  const { dataKeys, serviceKey } = store.reads;
  if (sshPrivKey !== null) return vault.open(sshPrivKey, sshPrivateKeyLocation(address), dataKeys);
  const { privateKey } = requireServiceKey(await serviceKey.get());
  const openSshKey = await vault.open(privateKey, serviceKeyLocation, dataKeys);
  return new Secret(Buffer.from(openSshKey.reveal()).toString('base64'));
}

async function loadTarget(ports: EnginePorts, host: EnrolledHost): Promise<Target | TransportFailure> {
  // The address can belong to a new enrolment. A run for the old one fails when it saves its result.
  const access = await ports.store.reads.hostAccess.getForEnrolment(host);
  if (access === undefined) return new TransportFailure('unreachable', 'the host was removed');
  const privateKey = await loadPrivateKey(ports, host, access).catch((error: unknown) => {
    if (error instanceof SecretDamagedError) return new TransportFailure('auth_rejected', error.message);
    throw error;
  });
  if (privateKey instanceof TransportFailure) return privateKey;
  return {
    address: host.address,
    port: access.sshPort,
    user: access.remoteUser,
    privateKey,
    hostKeys: access.hostKeys,
    transport: access.transport,
  };
}

export const openHostConnection = (
  ports: EnginePorts,
  lease: Lease,
  host: EnrolledHost,
  { tcpTimeoutMs, getLogFields }: { readonly tcpTimeoutMs?: number; readonly getLogFields: () => LogFields },
): FencedHostConnection => {
  const transport = logTransport(ports.transport, ports, () => ({ host: host.address, ...getLogFields() }));
  return new FencedHostConnection(
    { transport, clock: ports.clock, lease, connectTimeoutMs: ports.settings.connectTimeoutMs, tcpTimeoutMs },
    () => loadTarget(ports, host),
  );
};
