import type { Argv } from '../domain/command.ts';
import type { Secret } from '../domain/secret.ts';
import type { Faults } from './faults.ts';
import type { SimulatedMachine, SimulatedOs, SimulatedResult } from './simulated-machine.ts';
import { simulatedResult } from './simulated-machine.ts';
import type { SimulatedHostSpec, SimulationContext } from './simulation-context.ts';

interface CommandTarget {
  readonly system: SimulatedOs;
  readonly spec: SimulatedHostSpec;
  readonly machine: SimulatedMachine;
  readonly faults: Faults | undefined;
}

interface CommandRequest {
  readonly argv: Argv;
  readonly user: string;
  readonly asRoot: boolean;
  readonly input?: Secret | undefined;
}

const simulatorsOf = (context: SimulationContext, target: CommandTarget) => [
  target.system.simulator,
  ...context.commonSimulators,
];

function simulateCommand(
  context: SimulationContext,
  target: CommandTarget,
  { argv, asRoot, user, input }: CommandRequest,
): SimulatedResult {
  const isRoot = asRoot || user === 'root';
  if (asRoot && user !== 'root' && target.spec.canSudo === false)
    return simulatedResult(1, '', 'sudo: a password is required\n');
  const caller = { user, isRoot, ...(input && { input: input.reveal() }) };
  for (const simulator of simulatorsOf(context, target)) {
    const result = simulator.execute(target.machine, argv, caller);
    if (result !== undefined) return result;
  }
  return simulatedResult(127, '', `sh: 1: ${argv[0]}: not found\n`);
}

/** Executes a command immediately. `onEffect` is called before the command takes effect. */
export function executeCommand(
  context: SimulationContext,
  target: CommandTarget,
  command: CommandRequest,
  onEffect: () => void = () => {},
): SimulatedResult {
  // An `exit` fault applies to the nested command, not to the command that launches it.
  const hasNestedCommand = simulatorsOf(context, target).some(
    simulator => simulator.nestedCommand?.(command.argv) !== undefined,
  );
  const exit = hasNestedCommand ? undefined : target.faults?.takeMatching('exit', command.argv);
  if (exit === undefined || exit.tookEffect === true) {
    onEffect();
    const result = simulateCommand(context, target, command);
    if (exit === undefined) return result;
  }
  return simulatedResult(exit.exitCode, '', exit.stderr);
}
