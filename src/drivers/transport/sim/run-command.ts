import type { Argv, Ran } from '../../../domain/command.ts';
import type { Secret } from '../../../domain/secret.ts';
import type { Attempt } from '../attempt.ts';
import { shellRefused } from '../login-script.ts';
import { MAX_OUTPUT_BYTES } from '../transport.ts';
import { carryOut } from './carry-out.ts';
import type { JournalEntry } from './journal.ts';
import type { ObservedCommand, ObservedWorld } from './observed-command.ts';
import type { Session, SimulatedHost } from './simulated-host.ts';

export interface SentCommand {
  readonly argv: Argv;
  readonly asRoot: boolean;
  readonly user: string;
  readonly input: Secret | undefined;
  readonly session: Session;
  readonly connectingSinceMs: number;
  readonly attempt: Attempt<Ran>;
  readonly entry: JournalEntry;
}

const bounded = (bytes: Uint8Array): Uint8Array =>
  bytes.length > MAX_OUTPUT_BYTES ? bytes.subarray(0, MAX_OUTPUT_BYTES) : bytes;

/** Goes on when the observer is done with it. */
function observed({ onCommand }: ObservedWorld, command: ObservedCommand, next: () => void): void {
  const held = onCommand?.(command);
  if (held === undefined) next();
  else void held.then(next);
}

/**
 * Lets the host carry out a command. From when it was sent on, only the host's going down keeps it from being carried out, also
 * when nobody waits for the answer any more: callers must be able to live with that.
 */
export function runCommand(world: ObservedWorld, host: SimulatedHost, command: SentCommand): void {
  const { argv, asRoot, session, attempt, connectingSinceMs } = command;
  const { power } = host;
  const cutOff = () => session.break('the connection was cut');

  const land = () => {
    if (host.faults?.hit('no_shell', argv))
      return attempt.settle(shellRefused(command.user, 254, 'fork: Resource temporarily unavailable'));
    const cut = host.faults?.hit('cut', argv);
    if (cut?.tookEffect === false) return cutOff();
    const noteEffect = () => {
      command.entry.tookEffect = true;
    };
    const { tookMs = 0, exitCode, stdout, stderr } = carryOut(world, host, command, noteEffect);
    const ran: Ran = { exitCode, stdout: bounded(stdout), stderr: bounded(stderr) };
    const reply = power.unlessDown(() => {
      if (cut) cutOff();
      else if (tookMs <= 0) attempt.settle(ran);
      else attempt.onceOver(world.clock.after(tookMs, () => attempt.settle(ran)));
    });
    observed(world, { moment: 'after', host, argv, asRoot, connectingSinceMs, ran }, reply);
  };

  const start = power.unlessDown(() => {
    const slowMs = host.faults?.hit('slow', argv, ({ commandMs }) => commandMs !== undefined)?.commandMs ?? 0;
    const goOn = () => power.after(world.times.commandMs + (host.spec.latencyMs ?? 0) + slowMs, land);
    if (host.faults?.hit('frozen', argv)) host.stall(goOn);
    else goOn();
  });
  observed(world, { moment: 'before', host, argv, asRoot, connectingSinceMs }, start);
}
