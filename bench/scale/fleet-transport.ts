import type { CommandResult } from '../../src/domain/command.ts';
import { TransportFailure } from '../../src/domain/transport-failure.ts';
import { ConnectionCommands, PendingCall } from '../../src/drivers/transport/pending-call.ts';
import type {
  CallLimits,
  Connection,
  RunOptions,
  Target,
  Transport,
} from '../../src/drivers/transport/transport.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import type { FleetAnswer, FleetQuestion } from './fleet-messages.ts';

type Asked = (answer: FleetAnswer) => void;

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const failureOf = (answer: FleetAnswer): TransportFailure =>
  answer.kind === 'failed'
    ? new TransportFailure(answer.failure, answer.detail)
    : new TransportFailure('unreachable', `it answers ${answer.kind}`);

/** How a server reaches the pretend hosts of the process that started it. */
export class FleetTransport implements Transport {
  readonly #asked = new Map<number, Asked>();
  #lastId = 0;

  constructor() {
    process.on('message', (answer: FleetAnswer) => {
      this.#asked.get(answer.id)?.(answer);
      this.#asked.delete(answer.id);
    });
  }

  connect({ address, user, hostKeys }: Target, limits: CallLimits): Promise<Connection | TransportFailure> {
    return PendingCall.start<Connection>(systemClock, limits, attempt => {
      const id = this.#ask({ kind: 'connect', address, user }, answer => {
        if (answer.kind !== 'connected') attempt.settle(failureOf(answer));
        else if (hostKeys.length > 0 && !hostKeys.includes(answer.hostKey))
          attempt.settle(new TransportFailure('host_key_changed', 'it shows another key', answer.hostKey));
        else attempt.settle(this.#connection(id, answer.hostKey));
      });
    });
  }

  #connection(connection: number, hostKey: string): Connection {
    const close = () => tell({ kind: 'close', connection });
    const commands = new ConnectionCommands(systemClock, close);
    return {
      hostKey,
      run: (argv, { asRoot = false, input, ...limits }: RunOptions) =>
        commands.run(limits, (attempt: PendingCall<CommandResult>) => {
          if (input) throw new Error('simulated hosts of other processes read no input');
          this.#ask({ kind: 'run', connection, argv, asRoot }, answer => {
            if (answer.kind !== 'ran') attempt.settle(failureOf(answer));
            else
              attempt.settle({
                exitCode: answer.exitCode,
                stdout: bytes(answer.stdout),
                stderr: bytes(answer.stderr),
              });
          });
        }),
      close: () => commands.closeAll('the connection was closed'),
    };
  }

  #ask(question: Question, asked: Asked): number {
    this.#lastId += 1;
    this.#asked.set(this.#lastId, asked);
    tell({ ...question, id: this.#lastId });
    return this.#lastId;
  }
}

type WithoutId<T> = T extends { id: number } ? Omit<T, 'id'> : never;
type Question = WithoutId<FleetQuestion>;

/** Whoever started this process may be gone. */
function tell(question: FleetQuestion): void {
  if (process.connected) process.send?.(question, () => {});
}
