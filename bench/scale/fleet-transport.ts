import type { Argv, CommandResult } from '../../src/domain/command.ts';
import type { TransportFailureKind } from '../../src/domain/transport-failure.ts';
import { TransportFailure } from '../../src/domain/transport-failure.ts';
import { ConnectionCommands, PendingCall } from '../../src/drivers/transport/pending-call.ts';
import type { CallLimits, Connection, RunOptions, Target, Transport } from '../../src/drivers/transport/transport.ts';
import { systemClock } from '../../src/lib/time/clock.ts';

type ResponseHandler = (response: FleetResponse) => void;

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const toFailure = (response: FleetResponse): TransportFailure =>
  response.kind === 'failed'
    ? new TransportFailure(response.failure, response.detail)
    : new TransportFailure('unreachable', `unexpected response ${response.kind}`);

/** Connects a server to the simulated hosts of its parent process. */
export class FleetTransport implements Transport {
  readonly #pending = new Map<number, ResponseHandler>();
  #lastId = 0;

  constructor() {
    process.on('message', (response: FleetResponse) => {
      this.#pending.get(response.id)?.(response);
      this.#pending.delete(response.id);
    });
  }

  connect({ address, user, hostKeys }: Target, limits: CallLimits): Promise<Connection | TransportFailure> {
    return PendingCall.start<Connection>(systemClock, limits, attempt => {
      const id = this.#request({ kind: 'connect', address, user }, response => {
        if (response.kind !== 'connected') attempt.settle(toFailure(response));
        else if (hostKeys.length > 0 && !hostKeys.includes(response.hostKey))
          attempt.settle(new TransportFailure('host_key_changed', 'the host presented another key', response.hostKey));
        else attempt.settle(this.#connection(id, response.hostKey));
      });
    });
  }

  #connection(connection: number, hostKey: string): Connection {
    const close = () => sendRequest({ kind: 'close', connection });
    const commands = new ConnectionCommands(systemClock, close);
    return {
      hostKey,
      run: (argv, { asRoot = false, input, ...limits }: RunOptions) =>
        commands.run(limits, (attempt: PendingCall<CommandResult>) => {
          if (input) throw new Error('simulated hosts of other processes read no input');
          this.#request({ kind: 'run', connection, argv, asRoot }, response => {
            if (response.kind !== 'ran') attempt.settle(toFailure(response));
            else
              attempt.settle({
                exitCode: response.exitCode,
                stdout: bytes(response.stdout),
                stderr: bytes(response.stderr),
              });
          });
        }),
      close: () => commands.closeAll('the connection was closed'),
    };
  }

  #request(request: NewFleetRequest, onResponse: ResponseHandler): number {
    this.#lastId += 1;
    this.#pending.set(this.#lastId, onResponse);
    sendRequest({ ...request, id: this.#lastId });
    return this.#lastId;
  }
}

type WithoutId<T> = T extends { id: number } ? Omit<T, 'id'> : never;
type NewFleetRequest = WithoutId<FleetRequest>;

/** The parent process may have exited. */
function sendRequest(request: FleetRequest): void {
  if (process.connected) process.send?.(request, () => {});
}

// Messages between servers and the benchmark about simulated hosts, over the IPC channel of Node.

/** From a server. The ID of the connect request identifies the connection. */
export type FleetRequest =
  | { readonly kind: 'connect'; readonly id: number; readonly address: string; readonly user: string }
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly connection: number;
      readonly argv: Argv;
      readonly asRoot: boolean;
    }
  | { readonly kind: 'close'; readonly connection: number };

/** To a server. Each character of the output is one byte (latin1). */
export type FleetResponse = { readonly id: number } & (
  | { readonly kind: 'connected'; readonly hostKey: string }
  | { readonly kind: 'ran'; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'failed'; readonly failure: TransportFailureKind; readonly detail: string }
);
