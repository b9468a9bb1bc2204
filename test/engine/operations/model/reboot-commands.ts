import type { Address } from '../../../../src/domain/addresses/address.ts';
import type { Argv } from '../../../../src/domain/command.ts';
import { parseRebootArgv } from '../../../../src/procedures/reboot/reboot-scripts.ts';
import type { ObservedCommand } from '../../../../src/simulator/run-command.ts';
import type { Simulation } from '../../../harness/simulation/simulation.ts';
import { KEY } from '../../../harness/simulation/simulation.ts';
import { isDelaying } from './invariants/down-hosts.ts';
import type { State } from './stored-state.ts';
import { isInFlight } from './stored-state.ts';

const LIMITS = { timeoutMs: 10_000, signal: new AbortController().signal };
/** A frozen server can send a command until the deadline of the command. */
const MAX_COMMAND_DELAY_MS = 60_000;

interface SentCommand {
  readonly sentAtMs: number;
  /**
   * Latest time at which the engine can have decided on this command, if the host or the server delayed it.
   */
  readonly decidedAtMs: number;
  readonly isDelayed: boolean;
}

export interface AcceptedReboot extends SentCommand {
  readonly operation: string;
  readonly attempt: number;
}

/** Observes the guarded reboot commands and can replay them late. */
export class RebootCommands {
  readonly #simulation: Simulation;
  readonly #sent = new WeakMap<Argv, SentCommand>();
  readonly #lastSent = new Map<Address, Argv>();
  readonly #accepted = new Map<Address, AcceptedReboot>();
  readonly #markers = new Set<string>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  acceptedBy(host: Address): AcceptedReboot | undefined {
    return this.#accepted.get(host);
  }

  /** Returns the violation, if the host accepted a command that it must reject. */
  check(command: ObservedCommand, state: State): string | undefined {
    const { moment, host, argv, result } = command;
    const sent = parseRebootArgv(argv);
    if (sent === undefined) return undefined;
    this.#lastSent.set(host.address, argv);
    // A replayed command is the same object. The engine decided on it when it was first sent.
    const sentCommand = this.#sent.get(argv) ?? this.#describe(command);
    this.#sent.set(argv, sentCommand);
    if (moment !== 'after' || !Buffer.from(result?.stdout ?? []).includes('started')) return undefined;
    const row = state.planned.find(
      ({ operation, attempt, host: address }) =>
        address === host.address && sent.name.startsWith(`reboot_${operation}_${attempt}_`),
    );
    if (row === undefined || !isInFlight(row))
      return `${host.address} reboots while its phase is ${row?.phase ?? 'in no plan'}`;
    if (this.#markers.has(sent.name)) return `${host.address} reboots again in attempt ${row.attempt}`;
    this.#markers.add(sent.name);
    this.#accepted.set(host.address, { ...sentCommand, operation: row.operation, attempt: row.attempt });
    return undefined;
  }

  #describe({ host, connectingSinceMs }: ObservedCommand): SentCommand {
    const { clock, servers } = this.#simulation;
    const [nowMs, monotonicMs] = [clock.now(), clock.monotonicMs()];
    const frozen = servers.flatMap(({ control: { lastFrozen } }) =>
      lastFrozen && (lastFrozen.untilMs ?? monotonicMs) > monotonicMs - MAX_COMMAND_DELAY_MS
        ? [nowMs - (monotonicMs - lastFrozen.fromMs)]
        : [],
    );
    return {
      sentAtMs: nowMs,
      decidedAtMs: Math.min(connectingSinceMs, ...frozen),
      isDelayed: frozen.length > 0 || isDelaying(host),
    };
  }

  /**
   * Sends the last command again, as a server does that was frozen in between. The caller does not wait for
   * the response.
   */
  replay(address: Address): void {
    const argv = this.#lastSent.get(address);
    if (argv === undefined) return;
    const target = { address, user: 'root', port: 22, privateKey: KEY, hostKeys: [] };
    void this.#simulation.fleet.transport.connect(target, LIMITS).then(async connection => {
      if ('run' in connection) await connection.run(argv, { ...LIMITS, asRoot: true });
    });
  }
}
