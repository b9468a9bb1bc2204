import type { Argv, CommandResult } from '../domain/command.ts';
import { stripKeyComment } from '../domain/hosts/host-key.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import { ConnectionCommands, PendingCall } from '../drivers/transport/pending-call.ts';
import type { Connection, RunOptions, Target, Transport } from '../drivers/transport/transport.ts';
import type { ObservedSimulation, PendingCommand } from './run-command.ts';
import { runCommand } from './run-command.ts';
import type { JournalEntry, Session, SimulatedHost } from './simulated-host.ts';
import { runAfter } from './simulation-context.ts';

type ConnectionOrigin = Pick<PendingCommand, 'user' | 'connectingSinceMs'>;

class SimulatedConnection implements Connection, Session {
  readonly hostKey: string;
  readonly #context: ObservedSimulation;
  readonly #host: SimulatedHost;
  readonly #origin: ConnectionOrigin;
  readonly #commands: ConnectionCommands;

  constructor(context: ObservedSimulation, host: SimulatedHost, origin: ConnectionOrigin) {
    this.#context = context;
    this.#host = host;
    this.#origin = origin;
    this.hostKey = host.hostKey;
    this.#commands = new ConnectionCommands(context.clock, () => host.sessionClosed(this));
    host.sessionOpened(this);
  }

  async run(argv: Argv, { asRoot = false, input, ...limits }: RunOptions): Promise<CommandResult | TransportFailure> {
    let entry: JournalEntry | undefined;
    const result = await this.#commands.run(limits, call => {
      entry = this.#host.logCommand(argv, asRoot);
      const command = { argv, asRoot, input, call, entry, session: this, ...this.#origin };
      runCommand(this.#context, this.#host, command);
    });
    if (entry) entry.outcome = result instanceof TransportFailure ? result.kind : result.exitCode;
    return result;
  }

  close(): void {
    this.#commands.closeAll('the connection was closed');
  }

  break(reason: string): void {
    this.#commands.closeAll(reason);
  }
}

/** Checks the host key first and then the login, as SSH does. */
function checkLogin(host: SimulatedHost, { hostKeys, user, privateKey }: Target): TransportFailure | undefined {
  const { hostKey, spec } = host;
  if (hostKeys.length > 0 && !hostKeys.some(line => stripKeyComment(line) === hostKey))
    return new TransportFailure('host_key_changed', 'the host presented a different key', hostKey);
  const isAuthorized =
    (spec.user === undefined || spec.user === user) &&
    (spec.acceptedKeys === undefined || spec.acceptedKeys.some(key => key.equals(privateKey)));
  if (!isAuthorized || host.faults?.takeMatching('auth_rejected'))
    return new TransportFailure('auth_rejected', `the host rejected the user ${user} with this key`);
  return undefined;
}

export function createSimulatedTransport(
  context: ObservedSimulation,
  hosts: ReadonlyMap<string, SimulatedHost>,
): Transport {
  const { clock, counters, latencies } = context;

  function open(target: Target, call: PendingCall<Connection>): void {
    const host = hosts.get(target.address);
    const origin = { user: target.user, connectingSinceMs: clock.now() };
    const faults = host?.faults;
    const isCutOff = faults?.takeMatching('unreachable') !== undefined;
    const slowMs = faults?.takeMatching('slow', undefined, ({ connectMs }) => connectMs !== undefined)?.connectMs ?? 0;
    const onArrival = () => {
      if (call.isSettled) return;
      if (host === undefined || isCutOff || !host.isUp)
        call.settle(new TransportFailure('unreachable', `no response from ${target.address}`));
      else if (host.faults?.takeMatching('frozen', undefined, ({ at }) => at === 'connect'))
        host.holdUntilRecovered(onArrival);
      else call.settle(checkLogin(host, target) ?? new SimulatedConnection(context, host, origin));
    };
    runAfter(context, latencies.connectMs + slowMs, onArrival);
  }

  return {
    connect(target, limits) {
      counters.connectAttempts += 1;
      return PendingCall.start<Connection>(clock, limits, call => open(target, call));
    },
  };
}
