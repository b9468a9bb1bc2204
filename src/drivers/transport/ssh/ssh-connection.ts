import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Client, ClientChannel } from 'ssh2';
import type { Argv, Ran } from '../../../domain/command.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { lastLine } from '../../../lib/text/harmless.ts';
import type { AlarmClock } from '../../../lib/time/clock.ts';
import type { Attempt } from '../attempt.ts';
import { KeptOutput, TOO_MUCH } from '../kept-output.ts';
import { LOGIN_COMMAND, loginScript, shellRefused } from '../login-script.ts';
import { RunningCommands } from '../running-commands.ts';
import type { Connection, RunOptions } from '../transport.ts';
import { MAX_RECEIVED_BYTES } from '../transport.ts';
import { failureOf } from './failure-of.ts';

/** A program that was left behind may hold the streams open for ever; what the command itself said has arrived by then. */
const LAST_WORDS_MS = 1000;
/** A host that does not close its end is not waited for. */
const GOODBYE_MS = 1000;

const signalNumber = (name: string): number =>
  Object.entries(constants.signals).find(([signal]) => signal === name)?.[1] ?? 0;

interface OpenedClient {
  readonly client: Client;
  /** What the client speaks through. It does not end it by itself where the host does not end its side. */
  readonly socket: Socket;
  readonly hostKey: string;
  readonly user: string;
  readonly clock: AlarmClock;
}

interface Command {
  readonly attempt: Attempt<Ran>;
  readonly script: string;
  /** What the script prints first. */
  readonly mark: string;
}

/** A connection that is let in. Ends for good when anything on it fails. */
export class SshConnection implements Connection {
  readonly hostKey: string;
  readonly #opened: OpenedClient;
  readonly #commands: RunningCommands;

  constructor(opened: OpenedClient) {
    const { client, socket, hostKey, user, clock } = opened;
    this.hostKey = hostKey;
    this.#opened = opened;
    this.#commands = new RunningCommands(clock, () => {
      client.end();
      const stopTimer = clock.after(GOODBYE_MS, () => socket.destroy());
      client.once('close', stopTimer);
    });
    client.on('error', error => this.#commands.fail(failureOf(error, user)));
    client.on('close', () => this.#commands.end('the host closed the connection'));
  }

  async run(argv: Argv, options: RunOptions): Promise<Ran | TransportFailure> {
    const { client, user } = this.#opened;
    const mark = randomBytes(12).toString('hex');
    const script = loginScript(argv, { user, asRoot: options.asRoot ?? false }, mark, options.input);
    return this.#commands.run(options, attempt => {
      client.exec(LOGIN_COMMAND, (error, channel) => {
        if (error) attempt.settle(failureOf(error, user));
        else if (attempt.mayProceed()) this.#talk(channel, { attempt, script, mark });
      });
    });
  }

  close(): void {
    this.#commands.end('the connection was closed');
  }

  /** Sends the command, and gathers what comes back. */
  #talk(channel: ClientChannel, { attempt, script, mark }: Command): void {
    const [stdout, stderr] = [new KeptOutput(mark), new KeptOutput(mark)];
    let exitCode: number | undefined;
    const conclude = () => attempt.settle(this.#answer(exitCode, stdout, stderr));
    const receive = (output: KeptOutput) => (chunk: Buffer) => {
      output.add(chunk);
      if (stdout.receivedBytes + stderr.receivedBytes > MAX_RECEIVED_BYTES) attempt.settle(TOO_MUCH);
    };
    channel.on('data', receive(stdout));
    channel.stderr.on('data', receive(stderr));
    channel.on('exit', (code: number | null, signal?: string) => {
      exitCode = code ?? 128 + signalNumber(signal ?? '');
      attempt.onceOver(this.#opened.clock.after(LAST_WORDS_MS, conclude));
    });
    channel.on('close', conclude);
    channel.end(script);
  }

  #answer(exitCode: number | undefined, stdout: KeptOutput, stderr: KeptOutput): Ran | TransportFailure {
    if (exitCode === undefined)
      return new TransportFailure('unreachable', 'the command ended without an exit code');
    if (stdout.hasBegun) return { exitCode, stdout: stdout.bytes(), stderr: stderr.bytes() };
    const said = lastLine(stderr.bytes()) || lastLine(stdout.bytes());
    return shellRefused(this.#opened.user, exitCode, said);
  }
}
