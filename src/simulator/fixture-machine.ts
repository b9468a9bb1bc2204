import { randomUUID } from 'node:crypto';
import type {
  CommandCaller,
  MachineDeployment,
  MachineTemplate,
  SimulatedMachine,
  SimulatedResult,
} from './simulated-machine.ts';
import { applyBoot } from './simulated-machine.ts';

export const ROOT: CommandCaller = { user: 'root', isRoot: true };

/**
 * A simulated machine from a template, without clock or fleet. `reboot` only records the request; `boot` simulates a
 * boot.
 */
export class FixtureMachine implements SimulatedMachine {
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
  readonly available: Map<string, string>;
  readonly downloaded = new Map<string, string>();
  readonly services = new Set<string>();
  readonly runFiles = new Map<string, string>();
  booted: MachineDeployment | undefined;
  staged: MachineDeployment | undefined;
  isDiskFull = false;
  isRunReadOnly = false;
  uptimeMs = 3_600_000;
  startingMs: number;
  rebootRequested = false;

  constructor(template: MachineTemplate, hostname = 'host-1') {
    this.hostname = hostname;
    this.osRelease = template.osRelease;
    this.isOstree = template.isOstree ?? false;
    this.isContainerImage = template.isContainerImage ?? false;
    this.tools = new Set(template.tools);
    this.packages = new Map(Object.entries(template.packages ?? {}));
    this.available = new Map(Object.entries(template.available ?? {}));
    this.startingMs = template.startingMs ?? 0;
    this.booted = template.deployment && { ...template.deployment, isLocked: false };
  }

  reboot(): void {
    this.rebootRequested = true;
  }

  /** Has no command simulators. */
  execute(): SimulatedResult {
    throw new Error('nothing is launched on a machine without a simulator');
  }

  /** Time does not pass on this machine. */
  after(): void {}

  boot(): void {
    this.rebootRequested = false;
    this.uptimeMs = 0;
    this.bootId = randomUUID();
    applyBoot(this);
  }
}
