import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Client, ClientChannel } from 'ssh2';
import type { Argv, CommandResult } from '../../../domain/command.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { lastLine } from '../../../lib/sanitize.ts';
import type { TimerClock } from '../../../lib/time/clock.ts';
import { BoundedOutput, OUTPUT_LIMIT_EXCEEDED } from '../bounded-output.ts';
import { commandScript, LOGIN_COMMAND, noShellFailure } from '../command-script.ts';
import type { PendingCall } from '../pending-call.ts';
import { ConnectionCommands } from '../pending-call.ts';
import type { Connection, RunOptions } from '../transport.ts';
import { MAX_RECEIVED_BYTES } from '../transport.ts';
import { toTransportFailure } from './ssh-errors.ts';

/** A background process of the command can keep the streams open after its output has arrived. */
const STREAM_CLOSE_TIMEOUT_MS = 1000;
const SOCKET_CLOSE_TIMEOUT_MS = 1000;

const signalNumber = (name: string): number =>
  Object.entries(constants.signals).find(([signal]) => signal === name)?.[1] ?? 0;

interface LoggedInClient {
  readonly client: Client;
  /** The client does not close the socket if the host keeps its side open. */
  readonly socket: Socket;
  readonly hostKey: string;
  readonly user: string;
  readonly clock: TimerClock;
}

export class SshConnection implements Connection {
  readonly hostKey: string;
  readonly #session: LoggedInClient;
  readonly #commands: ConnectionCommands;

  constructor(session: LoggedInClient) {
    const { client, socket, hostKey, user, clock } = session;
    this.hostKey = hostKey;
    this.#session = session;
    this.#commands = new ConnectionCommands(clock, () => {
      client.end();
      const stopTimer = clock.setTimer(SOCKET_CLOSE_TIMEOUT_MS, () => socket.destroy());
      client.once('close', stopTimer);
    });
    client.on('error', error => this.#commands.failAll(toTransportFailure(error, user)));
    client.on('close', () => this.#commands.closeAll('the host closed the connection'));
  }

  async run(argv: Argv, options: RunOptions): Promise<CommandResult | TransportFailure> {
    const { client, user } = this.#session;
    const marker = randomBytes(12).toString('hex');
    const script = commandScript(argv, { user, asRoot: options.asRoot ?? false }, marker, options.input);
    return this.#commands.run(options, call => {
      client.exec(LOGIN_COMMAND, (error, channel) => {
        if (error) call.settle(toTransportFailure(error, user));
        else if (call.mayProceed()) this.#execute(channel, call, script, marker);
      });
    });
  }

  close(): void {
    this.#commands.closeAll('the connection was closed');
  }

  #execute(channel: ClientChannel, call: PendingCall<CommandResult>, script: string, marker: string): void {
    const [stdout, stderr] = [new BoundedOutput(marker), new BoundedOutput(marker)];
    let exitCode: number | undefined;
    const finish = () => call.settle(this.#toResult(exitCode, stdout, stderr));
    const receive = (output: BoundedOutput) => (chunk: Buffer) => {
      output.add(chunk);
      if (stdout.receivedBytes + stderr.receivedBytes > MAX_RECEIVED_BYTES) call.settle(OUTPUT_LIMIT_EXCEEDED);
    };
    channel.on('data', receive(stdout));
    channel.stderr.on('data', receive(stderr));
    channel.on('exit', (code: number | null, signal?: string) => {
      exitCode = code ?? 128 + signalNumber(signal ?? '');
      call.onSettled(this.#session.clock.setTimer(STREAM_CLOSE_TIMEOUT_MS, finish));
    });
    channel.on('close', finish);
    channel.end(script);
  }

  #toResult(
    exitCode: number | undefined,
    stdout: BoundedOutput,
    stderr: BoundedOutput,
  ): CommandResult | TransportFailure {
    if (exitCode === undefined) return new TransportFailure('unreachable', 'the command ended without an exit code');
    if (stdout.hasStarted) return { exitCode, stdout: stdout.bytes(), stderr: stderr.bytes() };
    const output = lastLine(stderr.bytes()) || lastLine(stdout.bytes());
    return noShellFailure(this.#session.user, exitCode, output);
  }
}
