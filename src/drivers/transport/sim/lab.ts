// A host on a virtual clock, for the simulator's own tests.

import type { Address } from '../../../domain/addresses/address.ts';
import { parseAddress } from '../../../domain/addresses/address.ts';
import type { Argv, Ran } from '../../../domain/command.ts';
import { Secret } from '../../../domain/secret.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { VirtualClock } from '../../../lib/time/virtual-clock.ts';
import type { Connection, Target } from '../transport.ts';
import type { HostSpec } from './host-spec.ts';
import { shellFake } from './shell-fake.ts';
import type { FleetOptions } from './simulated-fleet.ts';
import { SimulatedFleet } from './simulated-fleet.ts';

export const LIMITS = { timeoutMs: 60_000, signal: new AbortController().signal };

export function address(text: string): Address {
  const parsed = parseAddress(text);
  if (parsed === undefined) throw new Error(`${text} is no address`);
  return parsed;
}

export const targetOf = (host: Address): Target => ({
  address: host,
  port: 22,
  user: 'admin',
  privateKey: new Secret('a2V5'),
  hostKeys: [],
});

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** What a command came to, in short. */
export const inShort = (answer: Ran | TransportFailure): string =>
  answer instanceof TransportFailure
    ? answer.kind
    : `${answer.exitCode} ${text(answer.stdout)}${text(answer.stderr)}`.trim();

export function lab(spec: Partial<HostSpec> = {}, options: Partial<FleetOptions> = {}) {
  const clock = new VirtualClock();
  const fleet = new SimulatedFleet({ clock, fakes: { systems: [shellFake] }, ...options });
  const host = fleet.add(address('10.0.0.1'), { os: 'lab', ...spec });
  const target = targetOf(host.address);

  /** Lets time pass until there is an answer. */
  const settle = async <Answer>(promise: Promise<Answer>): Promise<Answer> => {
    let isSettled = false;
    const mark = () => {
      isSettled = true;
    };
    promise.then(mark, mark);
    await clock.advanceUntil(() => isSettled, 86_400_000);
    return promise;
  };
  const tryToConnect = (to: Partial<Target> = {}) =>
    settle(fleet.transport.connect({ ...target, ...to }, LIMITS));
  const connect = async (): Promise<Connection> => {
    const connection = await tryToConnect();
    if (connection instanceof TransportFailure) throw new Error(String(connection));
    return connection;
  };
  /** Connects, pinned to the host's first key, runs one command and closes. */
  const hostKeys = [host.hostKey];
  const tell = async (...argv: Argv): Promise<string> => {
    const connection = await tryToConnect({ hostKeys });
    if (connection instanceof TransportFailure) return connection.kind;
    const answer = await settle(connection.run(argv, LIMITS));
    connection.close();
    return inShort(answer);
  };
  return { clock, fleet, host, target, settle, tryToConnect, connect, tell };
}
