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

/** Shared by all hosts with this OS. */
export interface SimulatedOs {
  readonly simulator: CommandSimulator;
  readonly template: MachineTemplate;
  /** The installed tools among those that the facts query checks. */
  readonly tools: ReadonlySet<string>;
}

export interface MachinePower {
  readonly bootId: string;
  readonly uptimeMs: number;
  /** Reboots shortly after the command returns. */
  reboot(): void;
  /** Calls back after `ms`, unless the machine reboots or is powered off before. */
  after(ms: number, callback: () => void): void;
}

/** Collections are created on first use, because most hosts of a large fleet are never accessed. */
export class SimulatedMachine {
  readonly hostname: string;
  readonly system: Pick<SimulatedOs, 'template' | 'tools'>;
  readonly power: MachinePower;
  /** Executes a command that another command launches. */
  readonly execute: (argv: Argv, caller: CommandCaller) => SimulatedResult;
  osRelease: string;
  cpus = 2;
  memoryKib = 4 * 1024 ** 2;
  spaceKib = 40 * 1024 ** 2;
  booted: MachineDeployment | undefined;
  staged: MachineDeployment | undefined;
  isDiskFull = false;
  /** Nothing can be created, changed or removed under /run. */
  isRunReadOnly = false;
  /** How long systemd reports `starting` after each boot. */
  startingMs: number;
  #packages: Map<string, string> | undefined;
  #available: Map<string, string> | undefined;
  #downloaded: Map<string, string> | undefined;
  #services: Set<string> | undefined;
  #runFiles: Map<string, string> | undefined;

  constructor(
    hostname: string,
    system: Pick<SimulatedOs, 'template' | 'tools'>,
    power: MachinePower,
    execute: SimulatedMachine['execute'],
  ) {
    const { osRelease, deployment, startingMs = 0 } = system.template;
    this.hostname = hostname;
    this.system = system;
    this.power = power;
    this.execute = execute;
    this.osRelease = osRelease;
    this.startingMs = startingMs;
    this.booted = deployment && { ...deployment, isLocked: false };
  }

  get bootId(): string {
    return this.power.bootId;
  }

  get uptimeMs(): number {
    return this.power.uptimeMs;
  }

  get packages(): Map<string, string> {
    this.#packages ??= new Map(Object.entries(this.system.template.packages ?? {}));
    return this.#packages;
  }

  /** Versions in the package repositories, by package. */
  get available(): Map<string, string> {
    this.#available ??= new Map(Object.entries(this.system.template.available ?? {}));
    return this.#available;
  }

  /** Versions downloaded for the next upgrade, by package. */
  get downloaded(): Map<string, string> {
    this.#downloaded ??= new Map();
    return this.#downloaded;
  }

  get services(): Set<string> {
    this.#services ??= new Set();
    return this.#services;
  }

  /** The files under /run, by name; a boot removes them. */
  get runFiles(): Map<string, string> {
    this.#runFiles ??= new Map();
    return this.#runFiles;
  }

  /** Applies or drops the staged deployment: OSTree keeps it under /run. */
  boot(isRolledBack = false): void {
    this.runFiles.clear();
    if (this.staged !== undefined && !this.staged.isLocked && !isRolledBack) this.booted = this.staged;
    this.staged = undefined;
  }
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
