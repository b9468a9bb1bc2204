import type { Address } from '../../../../src/domain/addresses/address.ts';
import type { Argv } from '../../../../src/domain/command.ts';
import type { ObservedCommand } from '../../../../src/drivers/transport/sim/observed-command.ts';
import { sentBy } from '../../../../src/operations/reboot/send-reboot.ts';
import type { Simulation } from '../../../harness/simulation/simulation.ts';
import { KEY } from '../../../harness/simulation/simulation.ts';
import type { State } from './state.ts';
import { isInFlight } from './state.ts';

const LIMITS = { timeoutMs: 10_000, signal: new AbortController().signal };

/** Knows what was sent to reboot hosts, so that it can come once more, and late. */
export class Reboots {
  readonly #sent = new Map<Address, Argv>();
  readonly #begun = new Set<string>();

  /** Answers what is wrong with a reboot that a host has just taken on. */
  problemOf({ moment, host, argv, ran }: ObservedCommand, state: State): string | undefined {
    const sent = sentBy(argv);
    if (sent === undefined) return undefined;
    this.#sent.set(host.address, argv);
    if (moment !== 'after' || !Buffer.from(ran?.stdout ?? []).includes('begun')) return undefined;
    const row = state.planned.find(
      ({ operation, attempt, host: at }) =>
        at === host.address && sent.name.startsWith(`reboot_${operation}_${attempt}_`),
    );
    if (row === undefined || !isInFlight(row))
      return `${host.address} reboots, and is ${row?.phase ?? 'in no plan'}`;
    if (this.#begun.has(sent.name)) return `${host.address} reboots once more in attempt ${row.attempt}`;
    this.#begun.add(sent.name);
    return undefined;
  }

  /** What was sent last comes once more, from somebody who was asleep on the way. Nobody waits for what becomes of it. */
  sendLate({ fleet }: Simulation, address: Address): void {
    const argv = this.#sent.get(address);
    if (argv === undefined) return;
    const target = { address, user: 'root', port: 22, privateKey: KEY, hostKeys: [] };
    void fleet.transport.connect(target, LIMITS).then(async connection => {
      if ('run' in connection) await connection.run(argv, { ...LIMITS, asRoot: true });
    });
  }
}
