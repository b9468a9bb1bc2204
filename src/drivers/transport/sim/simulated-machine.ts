import type { Machine, MachineBlueprint, MachineDeployment, MachineFake } from '../../machine.ts';
import { bootMachine } from '../../machine.ts';
import type { Power } from './power.ts';

/** A system that hosts can have: shared by all that have it. */
export interface SystemKind {
  readonly fake: MachineFake;
  readonly blueprint: MachineBlueprint;
  readonly tools: ReadonlySet<string>;
}

/** What a pretend host has. Maps are made when somebody looks, since most of a large fleet is never looked at. */
export class SimulatedMachine implements Machine {
  readonly hostname: string;
  readonly #kind: SystemKind;
  readonly #power: Power;
  readonly perform: Machine['perform'];
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
  #offered: Map<string, string> | undefined;
  #downloaded: Map<string, string> | undefined;
  #services: Set<string> | undefined;
  #run: Map<string, string> | undefined;

  constructor(hostname: string, kind: SystemKind, power: Power, perform: Machine['perform']) {
    this.hostname = hostname;
    this.#kind = kind;
    this.#power = power;
    this.perform = perform;
    this.osRelease = kind.blueprint.osRelease;
    const { deployment, startingMs = 0 } = kind.blueprint;
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
    return this.#kind.blueprint.isOstree ?? false;
  }

  get isContainerImage(): boolean {
    return this.#kind.blueprint.isContainerImage ?? false;
  }

  get tools(): ReadonlySet<string> {
    return this.#kind.tools;
  }

  get packages(): Map<string, string> {
    this.#packages ??= new Map(Object.entries(this.#kind.blueprint.packages ?? {}));
    return this.#packages;
  }

  get offered(): Map<string, string> {
    this.#offered ??= new Map(Object.entries(this.#kind.blueprint.offered ?? {}));
    return this.#offered;
  }

  get downloaded(): Map<string, string> {
    this.#downloaded ??= new Map();
    return this.#downloaded;
  }

  get services(): Set<string> {
    this.#services ??= new Set();
    return this.#services;
  }

  get run(): Map<string, string> {
    this.#run ??= new Map();
    return this.#run;
  }

  reboot(): void {
    this.#power.reboot();
  }

  after(ms: number, callback: () => void): void {
    this.#power.after(ms, callback);
  }

  boot(how: { isRolledBack: boolean }): void {
    bootMachine(this, how);
  }
}
