import { withoutComment } from '../../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { Attempt } from '../attempt.ts';
import type { Connection, Limits, Target, Transport } from '../transport.ts';
import type { ObservedWorld } from './observed-command.ts';
import { SimulatedConnection } from './simulated-connection.ts';
import type { SimulatedHost } from './simulated-host.ts';
import { wait } from './world.ts';

/** Whether the host shows a key that it may, and lets in whoever asks: in this order, as with SSH. */
function refusalOf(
  host: SimulatedHost,
  { hostKeys, user, privateKey }: Target,
): TransportFailure | undefined {
  const { hostKey, spec } = host;
  if (hostKeys.length > 0 && !hostKeys.some(line => withoutComment(line) === hostKey))
    return new TransportFailure('host_key_changed', 'the host presented a different key', hostKey);
  const isKnown =
    (spec.user === undefined || spec.user === user) &&
    (spec.acceptedKeys === undefined || spec.acceptedKeys.some(key => key.equals(privateKey)));
  if (!isKnown || host.faults?.hit('auth_rejected'))
    return new TransportFailure('auth_rejected', `the host rejected the user ${user} with this key`);
  return undefined;
}

export class SimulatedTransport implements Transport {
  readonly #world: ObservedWorld;
  readonly #hosts: ReadonlyMap<string, SimulatedHost>;

  constructor(world: ObservedWorld, hosts: ReadonlyMap<string, SimulatedHost>) {
    this.#world = world;
    this.#hosts = hosts;
  }

  connect(target: Target, limits: Limits): Promise<Connection | TransportFailure> {
    this.#world.counters.connects += 1;
    return Attempt.within<Connection>(this.#world.clock, limits, attempt => this.#begin(target, attempt));
  }

  #begin(target: Target, attempt: Attempt<Connection>): void {
    const host = this.#hosts.get(target.address);
    const from = { user: target.user, connectingSinceMs: this.#world.clock.now() };
    const faults = host?.faults;
    const isCutOff = faults?.hit('unreachable') !== undefined;
    const slowMs = faults?.hit('slow', undefined, ({ connectMs }) => connectMs !== undefined)?.connectMs ?? 0;
    const takesMs = this.#world.times.connectMs + (host?.spec.latencyMs ?? 0) + slowMs;
    const arrive = () => {
      if (attempt.isOver) return;
      if (host === undefined || isCutOff || !host.isUp)
        attempt.settle(new TransportFailure('unreachable', `no response from ${target.address}`));
      else if (host.faults?.hit('frozen', undefined, ({ at }) => at === 'connect')) host.stall(arrive);
      else attempt.settle(refusalOf(host, target) ?? new SimulatedConnection(this.#world, host, from));
    };
    wait(this.#world, takesMs, arrive);
  }
}
