// A simulated machine, as the fleet keeps it and as command simulators see it. A command simulator defines how a
// machine responds to the commands of one driver.

import type { Argv, CommandResult } from '../domain/command.ts';

export interface MachineDeployment {
  version: string;
  checksum: string;
  image: string;
  /** Staged, but a reboot does not apply it. */
  isLocked: boolean;
}

export interface SimulatedMachine {
  readonly hostname: string;
  readonly bootId: string;
  osRelease: string;
  readonly isOstree: boolean;
  readonly isContainerImage: boolean;
  /** The installed tools among those that the facts query checks. */
  readonly tools: ReadonlySet<string>;
  cpus: number;
  memoryKib: number;
  spaceKib: number;
  readonly packages: Map<string, string>;
  /** Versions in the package repositories, by package. */
  readonly available: Map<string, string>;
  /** Versions downloaded for the next upgrade, by package. */
  readonly downloaded: Map<string, string>;
  readonly services: Set<string>;
  /** The files under /run, by name; a boot removes them. */
  readonly runFiles: Map<string, string>;
  booted: MachineDeployment | undefined;
  staged: MachineDeployment | undefined;
  isDiskFull: boolean;
  /** Nothing can be created, changed or removed under /run. */
  isRunReadOnly: boolean;
  readonly uptimeMs: number;
  /** How long systemd reports `starting` after each boot. */
  startingMs: number;
  /** Executes a command that another command launches. */
  execute(argv: Argv, caller: CommandCaller): SimulatedResult;
  /** Reboots shortly after the command returns. */
  reboot(): void;
  /** Calls back after `ms`, unless the machine reboots or is powered off before. */
  after(ms: number, callback: () => void): void;
}

export interface CommandCaller {
  readonly user: string;
  readonly isRoot: boolean;
  readonly input?: string;
}

export interface SimulatedResult extends CommandResult {
  /** How long the command runs; it takes effect at the start. Default: only the usual latency. */
  readonly durationMs?: number;
}

/** Simulates the commands of one OS driver, or commands of every OS. */
export interface CommandSimulator {
  /** Freshly installed machines, for each OS name of the driver. */
  readonly templates: Readonly<Record<string, MachineTemplate>>;
  execute(machine: SimulatedMachine, argv: Argv, caller: CommandCaller): SimulatedResult | undefined;
  /** The command that this one launches by `execute`; `undefined`: none. */
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
  readonly startingMs?: number;
}

export const simulatedResult = (exitCode: number, stdout: string | Uint8Array = '', stderr = ''): SimulatedResult => ({
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
});

/** The script of `sh -c` and its arguments; `undefined` for other commands. */
export function parseShellScript([program, flag, script, , ...args]: Argv):
  | { readonly script: string; readonly args: readonly string[] }
  | undefined {
  return program === 'sh' && flag === '-c' && script !== undefined ? { script, args } : undefined;
}

/** Compares the scripts only, not their arguments. */
export const isSameScript = (one: Argv, other: Argv | undefined): boolean => {
  const script = parseShellScript(one)?.script;
  return script !== undefined && other !== undefined && script === parseShellScript(other)?.script;
};

export function stripEnv(argv: readonly string[]): readonly string[] {
  if (argv[0] !== 'env') return argv;
  const start = argv.findIndex((word, index) => index > 0 && !word.includes('='));
  return start === -1 ? [] : argv.slice(start);
}

/** Drops options and the values of `-o`. */
export const positionalArgs = (args: readonly string[]): readonly string[] =>
  args.filter((word, index) => !word.startsWith('-') && args[index - 1] !== '-o');
