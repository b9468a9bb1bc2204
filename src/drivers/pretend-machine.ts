import { randomUUID } from 'node:crypto';
import type {
  Machine,
  MachineAnswer,
  MachineBlueprint,
  MachineCaller,
  MachineDeployment,
} from './machine.ts';
import { bootMachine } from './machine.ts';

/** Whoever asks it has every right. */
export const ROOT: MachineCaller = { user: 'root', isRoot: true };

/** A pretend host made from a blueprint. `reboot` only notes the wish; `boot` is what a boot does. */
export class PretendMachine implements Machine {
  readonly hostname: string;
  bootId: string = randomUUID();
  osRelease: string;
  readonly isOstree: boolean;
  readonly isContainerImage: boolean;
  readonly tools: ReadonlySet<string>;
  cpus = 4;
  memoryKib = 8_148_800;
  spaceKib = 41_152_812;
  readonly packages: Map<string, string>;
  readonly offered: Map<string, string>;
  readonly downloaded = new Map<string, string>();
  readonly services = new Set<string>();
  readonly run = new Map<string, string>();
  booted: MachineDeployment | undefined;
  staged: MachineDeployment | undefined;
  isDiskFull = false;
  isRunReadOnly = false;
  uptimeMs = 3_600_000;
  startingMs: number;
  wantsReboot = false;

  constructor(blueprint: MachineBlueprint, hostname = 'host-1') {
    this.hostname = hostname;
    this.osRelease = blueprint.osRelease;
    this.isOstree = blueprint.isOstree ?? false;
    this.isContainerImage = blueprint.isContainerImage ?? false;
    this.tools = new Set(blueprint.tools);
    this.packages = new Map(Object.entries(blueprint.packages ?? {}));
    this.offered = new Map(Object.entries(blueprint.offered ?? {}));
    this.startingMs = blueprint.startingMs ?? 0;
    this.booted = blueprint.deployment && { ...blueprint.deployment, isLocked: false };
  }

  reboot(): void {
    this.wantsReboot = true;
  }

  /** It knows no fakes. */
  perform(): MachineAnswer {
    throw new Error('nothing is launched on a machine without a simulator');
  }

  /** Time does not pass here. */
  after(): void {}

  boot(): void {
    this.wantsReboot = false;
    this.uptimeMs = 0;
    this.bootId = randomUUID();
    bootMachine(this);
  }
}
