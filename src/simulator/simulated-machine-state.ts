import type { CommandSimulator, MachineDeployment, MachineTemplate, SimulatedMachine } from './simulated-machine.ts';

/** Shared by all hosts with this OS. */
export interface SimulatedOs {
  readonly simulator: CommandSimulator;
  readonly template: MachineTemplate;
  readonly tools: ReadonlySet<string>;
}

export interface MachinePower {
  readonly bootId: string;
  readonly uptimeMs: number;
  reboot(): void;
  after(ms: number, callback: () => void): void;
}

/** Collections are created on first use, because most hosts of a large fleet are never accessed. */
export class SimulatedMachineState implements SimulatedMachine {
  readonly hostname: string;
  readonly #system: Pick<SimulatedOs, 'template' | 'tools'>;
  readonly #power: MachinePower;
  readonly execute: SimulatedMachine['execute'];
  osRelease: string;
  cpus = 2;
  memoryKib = 4 * 1024 ** 2;
  spaceKib = 40 * 1024 ** 2;
  booted: MachineDeployment | undefined;
  staged: MachineDeployment | undefined;
  isDiskFull = false;
  isRunReadOnly = false;
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
    this.hostname = hostname;
    this.#system = system;
    this.#power = power;
    this.execute = execute;
    this.osRelease = system.template.osRelease;
    const { deployment, startingMs = 0 } = system.template;
    this.startingMs = startingMs;
    this.booted = deployment && { ...deployment, isLocked: false };
  }

  get bootId(): string {
    return this.#power.bootId;
  }

  get uptimeMs(): number {
    return this.#power.uptimeMs;
  }

  get isOstree(): boolean {
    return this.#system.template.isOstree ?? false;
  }

  get isContainerImage(): boolean {
    return this.#system.template.isContainerImage ?? false;
  }

  get tools(): ReadonlySet<string> {
    return this.#system.tools;
  }

  get packages(): Map<string, string> {
    this.#packages ??= new Map(Object.entries(this.#system.template.packages ?? {}));
    return this.#packages;
  }

  get available(): Map<string, string> {
    this.#available ??= new Map(Object.entries(this.#system.template.available ?? {}));
    return this.#available;
  }

  get downloaded(): Map<string, string> {
    this.#downloaded ??= new Map();
    return this.#downloaded;
  }

  get services(): Set<string> {
    this.#services ??= new Set();
    return this.#services;
  }

  get runFiles(): Map<string, string> {
    this.#runFiles ??= new Map();
    return this.#runFiles;
  }

  reboot(): void {
    this.#power.reboot();
  }

  after(ms: number, callback: () => void): void {
    this.#power.after(ms, callback);
  }

  /** Applies or drops the staged deployment: OSTree keeps it under /run. */
  boot({ isRolledBack }: { readonly isRolledBack: boolean }): void {
    this.runFiles.clear();
    if (this.staged !== undefined && !this.staged.isLocked && !isRolledBack) this.booted = this.staged;
    this.staged = undefined;
  }
}
