import { randomBytes } from 'node:crypto';
import type { Argv, Ran } from '../../../domain/command.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { lastLine } from '../../../lib/text/harmless.ts';
import type { AlarmClock } from '../../../lib/time/clock.ts';
import type { Turnstile } from '../../../lib/turns/turnstile.ts';
import type { Attempt } from '../attempt.ts';
import { TOO_MUCH } from '../kept-output.ts';
import type { ScriptMarks } from '../login-script.ts';
import { reportingScript, shellRefused } from '../login-script.ts';
import { RunningCommands } from '../running-commands.ts';
import type { Connection, RunOptions } from '../transport.ts';
import { MAX_RECEIVED_BYTES } from '../transport.ts';
import { MarkedOutput } from './marked-output.ts';
import { commandArguments, HAS_OPENED } from './ssh-arguments.ts';
import type { SshEnd } from './ssh-process.ts';
import type { Workplace } from './workplace.ts';

const newMark = () => randomBytes(12).toString('hex');

interface OpenedMaster {
  readonly place: Workplace;
  readonly controlSocket: string;
  readonly hostKey: string;
  readonly user: string;
  readonly clock: AlarmClock;
  readonly turns: Turnstile;
}

interface Command {
  readonly attempt: Attempt<Ran>;
  readonly script: string;
  readonly marks: ScriptMarks;
}

/** Without what ssh logs about itself. */
function wordsOf(output: MarkedOutput): string {
  const lines = Buffer.from(output.bytes()).toString('utf8').split('\n');
  return lastLine(Buffer.from(lines.filter(line => !/^debug\d: /.test(line)).join('\n')));
}

/** A master that is let in; each command is an ssh of its own that goes through it. Ends for good when anything on it fails. */
export class OpenSshConnection implements Connection {
  readonly hostKey: string;
  readonly #opened: OpenedMaster;
  readonly #commands: RunningCommands;

  constructor(opened: OpenedMaster) {
    this.hostKey = opened.hostKey;
    this.#opened = opened;
    this.#commands = new RunningCommands(opened.clock, () => opened.place.clear());
  }

  async run(argv: Argv, options: RunOptions): Promise<Ran | TransportFailure> {
    const { user, turns } = this.#opened;
    const marks = { begin: newMark(), end: newMark() };
    const script = reportingScript(argv, { user, asRoot: options.asRoot ?? false }, marks, options.input);
    return this.#commands.run(options, attempt => {
      turns.pass(() => attempt.proceed(() => this.#talk({ attempt, script, marks })));
    });
  }

  close(): void {
    this.#commands.end('the connection was closed');
  }

  fail(failure: TransportFailure): void {
    this.#commands.fail(failure);
  }

  /** Sends the command as soon as the host has opened a session for it, and gathers what comes back. */
  #talk({ attempt, script, marks }: Command): void {
    const [stdout, stderr] = [new MarkedOutput(marks), new MarkedOutput(marks)];
    let isSent = false;
    const send = () => {
      isSent = true;
      if (attempt.mayProceed()) ssh.input?.end(script);
    };
    const receive = (output: MarkedOutput) => (chunk: Buffer) => {
      if (attempt.isOver) return;
      output.add(chunk);
      if (!isSent && Buffer.from(stderr.bytes()).includes(HAS_OPENED)) send();
      const { exitCode } = stderr;
      if (exitCode !== undefined && stdout.exitCode === exitCode)
        attempt.settle({ exitCode, stdout: stdout.bytes(), stderr: stderr.bytes() });
      else if (stdout.receivedBytes + stderr.receivedBytes > MAX_RECEIVED_BYTES) attempt.settle(TOO_MUCH);
    };
    const ssh = this.#opened.place.start(commandArguments(this.#opened.controlSocket), {
      onStdout: receive(stdout),
      onStderr: receive(stderr),
      onEnd: end => attempt.settle(this.#failure(end, isSent, stdout, stderr)),
    });
    attempt.onceOver(() => ssh.kill());
  }

  /** Why ssh ended before the script has said how the command did. */
  #failure(end: SshEnd, isSent: boolean, stdout: MarkedOutput, stderr: MarkedOutput): TransportFailure {
    if (stdout.hasBegun) return new TransportFailure('unreachable', 'the command ended without an exit code');
    const said = wordsOf(stderr) || wordsOf(stdout);
    // 255 is also what ssh ends with when the connection broke: a shell that refuses us says something else.
    if (isSent && end.exitCode !== undefined && end.exitCode !== 255)
      return shellRefused(this.#opened.user, end.exitCode, said);
    const quote = said && `: ${said}`;
    const isFull = /Session open refused by peer/.test(Buffer.from(stderr.bytes()).toString('latin1'));
    return new TransportFailure(
      'unreachable',
      isFull
        ? 'the host opens no more sessions on this connection (MaxSessions of its sshd)'
        : `the host did not open a session for the command${quote}`,
    );
  }
}
