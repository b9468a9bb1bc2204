// A pretend host, as the simulator keeps it and as the fakes of drivers see it. A driver's `fake.ts` says how such a machine answers
// that driver's commands, so that a new driver joins the simulator by itself.

import type { Argv, Ran } from '../domain/command.ts';

export interface MachineDeployment {
  version: string;
  checksum: string;
  image: string;
  /** Staged, but a reboot does not apply it. */
  isLocked: boolean;
}

/** What a pretend host has; commands change it. */
export interface Machine {
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
  readonly offered: Map<string, string>;
  /** What was downloaded for the next upgrade. */
  readonly downloaded: Map<string, string>;
  readonly services: Set<string>;
  /** The files under /run, by name; gone with every boot. */
  readonly run: Map<string, string>;
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
  perform(argv: Argv, caller: MachineCaller): MachineAnswer;
  /** Begins to reboot, a moment after the command was answered. */
  reboot(): void;
  /** For what goes on after a command was answered: calls back after so long, unless the machine was booted or switched off by then. */
  after(ms: number, callback: () => void): void;
}

/** What a boot does to what a machine has. What is staged is applied or lost: OSTree keeps it under /run. */
export function bootMachine(
  machine: Pick<Machine, 'run' | 'booted' | 'staged'>,
  { isRolledBack = false }: { isRolledBack?: boolean } = {},
): void {
  machine.run.clear();
  if (machine.staged !== undefined && !machine.staged.isLocked && !isRolledBack)
    machine.booted = machine.staged;
  machine.staged = undefined;
}

/** Who runs a command. */
export interface MachineCaller {
  readonly user: string;
  readonly isRoot: boolean;
  /** What the command reads; missing: nothing. */
  readonly input?: string;
}

export interface MachineAnswer extends Ran {
  /** How long the command takes, its effects being there from its beginning. Default: no time but that of every command. */
  readonly tookMs?: number;
}

/** How machines of one kind of system answer. */
export interface MachineFake {
  /** What machines of this kind are, fresh from their installer, for each `os` of the driver. */
  readonly blueprints: Readonly<Record<string, MachineBlueprint>>;
  /** `undefined`: no such command. */
  answer(machine: Machine, argv: Argv, caller: MachineCaller): MachineAnswer | undefined;
  /** The command that this one only launches, by `perform`; `undefined`: none. */
  launches?(argv: Argv): Argv | undefined;
}

export interface MachineBlueprint {
  readonly osRelease: string;
  readonly isOstree?: boolean;
  readonly isContainerImage?: boolean;
  readonly tools: readonly string[];
  readonly packages?: Readonly<Record<string, string>>;
  readonly offered?: Readonly<Record<string, string>>;
  readonly deployment?: Omit<MachineDeployment, 'isLocked'>;
  /** Default: 0. */
  readonly startingMs?: number;
}
