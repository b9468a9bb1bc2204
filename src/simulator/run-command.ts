import type { Argv, CommandResult } from '../domain/command.ts';
import type { Secret } from '../domain/secret.ts';
import { noShellFailure } from '../drivers/transport/command-script.ts';
import type { PendingCall } from '../drivers/transport/pending-call.ts';
import { MAX_OUTPUT_BYTES } from '../drivers/transport/transport.ts';
import { executeCommand } from './execute-command.ts';
import type { JournalEntry, Session, SimulatedHost } from './simulated-host.ts';
import type { SimulationContext } from './simulation-context.ts';

export interface PendingCommand {
  readonly argv: Argv;
  readonly asRoot: boolean;
  readonly user: string;
  readonly input: Secret | undefined;
  readonly session: Session;
  readonly connectingSinceMs: number;
  readonly call: PendingCall<CommandResult>;
  readonly entry: JournalEntry;
}

const limitOutput = (bytes: Uint8Array): Uint8Array =>
  bytes.length > MAX_OUTPUT_BYTES ? bytes.subarray(0, MAX_OUTPUT_BYTES) : bytes;

function notifyObserver({ onCommand }: ObservedSimulation, command: ObservedCommand, next: () => void): void {
  const held = onCommand?.(command);
  if (held === undefined) next();
  else void held.then(next);
}

/** Once the command is sent, only a power-down prevents its execution, even if the client no longer waits. */
export function runCommand(context: ObservedSimulation, host: SimulatedHost, command: PendingCommand): void {
  const { argv, asRoot, session, call, connectingSinceMs } = command;
  const { power } = host;
  const dropConnection = () => session.break('the connection was cut');

  const deliver = () => {
    if (host.faults?.takeMatching('no_shell', argv))
      return call.settle(noShellFailure(command.user, 254, 'fork: Resource temporarily unavailable'));
    const cut = host.faults?.takeMatching('cut', argv);
    if (cut?.tookEffect === false) return dropConnection();
    const markEffect = () => {
      command.entry.tookEffect = true;
    };
    const { durationMs = 0, exitCode, stdout, stderr } = executeCommand(context, host, command, markEffect);
    const result: CommandResult = { exitCode, stdout: limitOutput(stdout), stderr: limitOutput(stderr) };
    const reply = power.ifStillUp(() => {
      if (cut) dropConnection();
      else if (durationMs <= 0) call.settle(result);
      else call.onSettled(context.clock.setTimer(durationMs, () => call.settle(result)));
    });
    notifyObserver(context, { moment: 'after', host, argv, asRoot, connectingSinceMs, result }, reply);
  };

  const start = power.ifStillUp(() => {
    const slowMs = host.faults?.takeMatching('slow', argv, ({ commandMs }) => commandMs !== undefined)?.commandMs ?? 0;
    const proceed = () => power.after(context.latencies.commandMs + slowMs, deliver);
    if (host.faults?.takeMatching('frozen', argv)) host.holdUntilRecovered(proceed);
    else proceed();
  });
  notifyObserver(context, { moment: 'before', host, argv, asRoot, connectingSinceMs }, start);
}

/** `before`: the command has not taken effect. `after`: the result has not been sent. */
export interface ObservedCommand {
  readonly moment: 'before' | 'after';
  readonly host: SimulatedHost;
  readonly argv: Argv;
  readonly asRoot: boolean;
  /** When the server began to open the connection, in milliseconds since 1970. */
  readonly connectingSinceMs: number;
  readonly result?: CommandResult;
}

/** A returned promise holds the command back until it is fulfilled. */
export type CommandObserver = (command: ObservedCommand) => void | Promise<void>;

export interface ObservedSimulation extends SimulationContext {
  onCommand: CommandObserver | undefined;
}
