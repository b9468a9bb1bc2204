import { randomBytes } from 'node:crypto';
import type { Argv, CommandResult } from '../../../domain/command.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import type { CpuThrottle } from '../../../lib/concurrency.ts';
import { lastLine } from '../../../lib/sanitize.ts';
import type { TimerClock } from '../../../lib/time/clock.ts';
import { DelimitedOutput, OUTPUT_LIMIT_EXCEEDED } from '../bounded-output.ts';
import type { ScriptMarkers } from '../command-script.ts';
import { commandScriptWithStatus, noShellFailure } from '../command-script.ts';
import type { PendingCall } from '../pending-call.ts';
import { ConnectionCommands } from '../pending-call.ts';
import type { Connection, RunOptions } from '../transport.ts';
import { MAX_RECEIVED_BYTES } from '../transport.ts';
import { commandArguments, SESSION_OPEN_LINE } from './ssh-arguments.ts';
import type { SshExit } from './ssh-process.ts';
import type { SshWorkDir } from './ssh-work-dir.ts';

const newMarker = () => randomBytes(12).toString('hex');

interface MasterConnection {
  readonly workDir: SshWorkDir;
  readonly controlSocket: string;
  readonly hostKey: string;
  readonly user: string;
  readonly clock: TimerClock;
  readonly throttle: CpuThrottle;
}

function lastOutputLine(output: DelimitedOutput): string {
  const lines = Buffer.from(output.bytes()).toString('utf8').split('\n');
  return lastLine(Buffer.from(lines.filter(line => !/^debug\d: /.test(line)).join('\n')));
}

/** Each command is another ssh process that uses the connection of the master. Any failure closes it. */
export class OpenSshConnection implements Connection {
  readonly hostKey: string;
  readonly #master: MasterConnection;
  readonly #commands: ConnectionCommands;

  constructor(master: MasterConnection) {
    this.hostKey = master.hostKey;
    this.#master = master;
    this.#commands = new ConnectionCommands(master.clock, () => master.workDir.dispose());
  }

  async run(argv: Argv, options: RunOptions): Promise<CommandResult | TransportFailure> {
    const { user, throttle } = this.#master;
    const markers = { begin: newMarker(), end: newMarker() };
    const script = commandScriptWithStatus(argv, { user, asRoot: options.asRoot ?? false }, markers, options.input);
    return this.#commands.run(options, call => {
      throttle.run(() => call.runIfAllowed(() => this.#execute(call, script, markers)));
    });
  }

  close(): void {
    this.#commands.closeAll('the connection was closed');
  }

  failAll(failure: TransportFailure): void {
    this.#commands.failAll(failure);
  }

  /** Sends the script after the host has opened a session. */
  #execute(call: PendingCall<CommandResult>, script: string, markers: ScriptMarkers): void {
    const [stdout, stderr] = [new DelimitedOutput(markers), new DelimitedOutput(markers)];
    let isSent = false;
    const send = () => {
      isSent = true;
      if (call.mayProceed()) ssh.input?.end(script);
    };
    const receive = (output: DelimitedOutput) => (chunk: Buffer) => {
      if (call.isSettled) return;
      output.add(chunk);
      if (!isSent && Buffer.from(stderr.bytes()).includes(SESSION_OPEN_LINE)) send();
      const { exitCode } = stderr;
      if (exitCode !== undefined && stdout.exitCode === exitCode)
        call.settle({ exitCode, stdout: stdout.bytes(), stderr: stderr.bytes() });
      else if (stdout.receivedBytes + stderr.receivedBytes > MAX_RECEIVED_BYTES) call.settle(OUTPUT_LIMIT_EXCEEDED);
    };
    const ssh = this.#master.workDir.start(commandArguments(this.#master.controlSocket), {
      onStdout: receive(stdout),
      onStderr: receive(stderr),
      onExit: exit => call.settle(this.#failure(exit, isSent, stdout, stderr)),
    });
    call.onSettled(() => ssh.kill());
  }

  #failure(exit: SshExit, isSent: boolean, stdout: DelimitedOutput, stderr: DelimitedOutput): TransportFailure {
    if (stdout.hasStarted) return new TransportFailure('unreachable', 'the command ended without an exit code');
    const output = lastOutputLine(stderr) || lastOutputLine(stdout);
    // ssh also exits with 255 if the connection is lost, so only other codes are from a shell.
    if (isSent && exit.exitCode !== undefined && exit.exitCode !== 255)
      return noShellFailure(this.#master.user, exit.exitCode, output);
    const quote = output && `: ${output}`;
    const isSessionLimit = /Session open refused by peer/.test(Buffer.from(stderr.bytes()).toString('latin1'));
    return new TransportFailure(
      'unreachable',
      isSessionLimit
        ? 'the host opens no more sessions on this connection (MaxSessions of its sshd)'
        : `the host did not open a session for the command${quote}`,
    );
  }
}
