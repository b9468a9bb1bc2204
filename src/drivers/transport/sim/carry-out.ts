import type { Argv } from '../../../domain/command.ts';
import type { Secret } from '../../../domain/secret.ts';
import type { Machine, MachineAnswer } from '../../machine.ts';
import type { Faults } from './faults.ts';
import type { HostSpec } from './host-spec.ts';
import type { SystemKind } from './simulated-machine.ts';
import type { World } from './world.ts';

const ended = (exitCode: number, stderr = ''): MachineAnswer => ({
  exitCode,
  stdout: new Uint8Array(),
  stderr: new TextEncoder().encode(stderr),
});

/** What a host is to a command. */
interface CommandedHost {
  readonly kind: SystemKind;
  readonly spec: HostSpec;
  readonly machine: Machine;
  readonly faults: Faults | undefined;
}

interface WantedCommand {
  readonly argv: Argv;
  readonly user: string;
  readonly asRoot: boolean;
  readonly input?: Secret | undefined;
}

const fakesOf = (world: World, host: CommandedHost) => [host.kind.fake, ...world.commonFakes];

function answerOf(
  world: World,
  host: CommandedHost,
  { argv, asRoot, user, input }: WantedCommand,
): MachineAnswer {
  const isRoot = asRoot || user === 'root';
  if (asRoot && user !== 'root' && host.spec.canSudo === false)
    return ended(1, 'sudo: a password is required\n');
  const caller = { user, isRoot, ...(input && { input: input.reveal() }) };
  for (const fake of fakesOf(world, host)) {
    const answer = fake.answer(host.machine, argv, caller);
    if (answer !== undefined) return answer;
  }
  return ended(127, `sh: 1: ${argv[0]}: not found\n`);
}

/** Lets the host carry out a command at once. `onEffect` is told when the command does something. */
export function carryOut(
  world: World,
  host: CommandedHost,
  command: WantedCommand,
  onEffect: () => void = () => {},
): MachineAnswer {
  // How a command ends that this one only launches, is for that one to say.
  const isLauncher = fakesOf(world, host).some(fake => fake.launches?.(command.argv) !== undefined);
  const exit = isLauncher ? undefined : host.faults?.hit('exit', command.argv);
  if (exit === undefined || exit.tookEffect === true) {
    onEffect();
    const answer = answerOf(world, host, command);
    if (exit === undefined) return answer;
  }
  return ended(exit.exitCode, exit.stderr);
}
