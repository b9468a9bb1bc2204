// A pretend host, as the simulator keeps it and as the fakes of drivers see it. A driver's `fake.ts` says how such a machine answers
// that driver's commands, so that a new driver joins the simulator by itself.

import type { Argv, CommandResult } from '../domain/command.ts';

export interface MachineDeployment {
  version: string;
  checksum: string;
  image: string;
  /** Staged, but a reboot does not apply it. */
  isLocked: boolean;
}

/** What a pretend host has; commands change it. */
export interface SimulatedMachine {
  readonly hostname: string;
  /** New at every boot. */
  readonly bootId: string;
  /** The text of its /etc/os-release. */
  osRelease: string;
  readonly isOstree: boolean;
  readonly isContainerImage: boolean;
  /** Of the tools that the facts look for. */
  readonly tools: ReadonlySet<string>;
  cpus: number;
  memoryKib: number;
  spaceKib: number;
  /** Versions of what is installed, by package. */
  readonly packages: Map<string, string>;
  /** What the package sources offer. */
  readonly available: Map<string, string>;
  /** What was downloaded for the next upgrade. */
  readonly downloaded: Map<string, string>;
  readonly services: Set<string>;
  /** The files under /run, by name; gone with every boot. */
  readonly runFiles: Map<string, string>;
  /** The booted one first, then the staged one, if any. */
  booted: MachineDeployment | undefined;
  staged: MachineDeployment | undefined;
  isDiskFull: boolean;
  /** Nothing can be created, changed or removed under /run. */
  isRunReadOnly: boolean;
  /** Since it was booted. */
  readonly uptimeMs: number;
  /** For how long after each boot it answers, and says that it is still starting. */
  startingMs: number;
  /** Carries out a command that another one has launched. */
  execute(argv: Argv, caller: CommandCaller): SimulatedResult;
  /** Begins to reboot, a moment after the command was answered. */
  reboot(): void;
  /** For what goes on after a command was answered: calls back after so long, unless the machine was booted or switched off by then. */
  after(ms: number, callback: () => void): void;
}

/** What a boot does to what a machine has. What is staged is applied or lost: OSTree keeps it under /run. */
export function applyBoot(
  machine: Pick<SimulatedMachine, 'runFiles' | 'booted' | 'staged'>,
  { isRolledBack = false }: { isRolledBack?: boolean } = {},
): void {
  machine.runFiles.clear();
  if (machine.staged !== undefined && !machine.staged.isLocked && !isRolledBack)
    machine.booted = machine.staged;
  machine.staged = undefined;
}

/** Who runs a command. */
export interface CommandCaller {
  readonly user: string;
  readonly isRoot: boolean;
  /** What the command reads; missing: nothing. */
  readonly input?: string;
}

export interface SimulatedResult extends CommandResult {
  /** How long the command takes, its effects being there from its beginning. Default: no time but that of every command. */
  readonly durationMs?: number;
}

/** How machines of one kind of system answer. */
export interface CommandSimulator {
  /** What machines of this kind are, fresh from their installer, for each `os` of the driver. */
  readonly templates: Readonly<Record<string, MachineTemplate>>;
  /** `undefined`: no such command. */
  execute(machine: SimulatedMachine, argv: Argv, caller: CommandCaller): SimulatedResult | undefined;
  /** The command that this one only launches, by `perform`; `undefined`: none. */
  nestedCommand?(argv: Argv): Argv | undefined;
}

export interface MachineTemplate {
  readonly osRelease: string;
  readonly isOstree?: boolean;
  readonly isContainerImage?: boolean;
  readonly tools: readonly string[];
  readonly packages?: Readonly<Record<string, string>>;
  readonly available?: Readonly<Record<string, string>>;
  readonly deployment?: Omit<MachineDeployment, 'isLocked'>;
  /** Default: 0. */
  readonly startingMs?: number;
}

// What fakes have in common: how they answer, and how they take a command apart.

const encoder = new TextEncoder();

export const simulatedResult = (exitCode: number, stdout = '', stderr = ''): CommandResult => ({
  exitCode,
  stdout: encoder.encode(stdout),
  stderr: encoder.encode(stderr),
});

/** The script of `sh -c`, and what it gets; `undefined` for every other command. */
export function parseShellScript([program, flag, script, , ...args]: Argv):
  | { readonly script: string; readonly args: readonly string[] }
  | undefined {
  return program === 'sh' && flag === '-c' && script !== undefined ? { script, args } : undefined;
}

/** Whether both run the same script, whatever it gets. */
export const isSameScript = (one: Argv, other: Argv | undefined): boolean => {
  const script = parseShellScript(one)?.script;
  return script !== undefined && other !== undefined && script === parseShellScript(other)?.script;
};

/** A command without `env` and the variables that it sets. */
export function stripEnv(argv: readonly string[]): readonly string[] {
  if (argv[0] !== 'env') return argv;
  const start = argv.findIndex((word, index) => index > 0 && !word.includes('='));
  return start === -1 ? [] : argv.slice(start);
}

/** What is no option and no value of `-o`. */
export const positionalArgs = (args: readonly string[]): readonly string[] =>
  args.filter((word, index) => !word.startsWith('-') && args[index - 1] !== '-o');
