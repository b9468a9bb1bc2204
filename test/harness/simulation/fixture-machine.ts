import { randomUUID } from 'node:crypto';
import type { CommandCaller, MachineTemplate } from '../../../src/simulator/simulated-machine.ts';
import { SimulatedMachine } from '../../../src/simulator/simulated-machine.ts';

export const ROOT: CommandCaller = { user: 'root', isRoot: true };

/** Time does not pass, and a reboot is only recorded. */
class FixturePower {
  bootId: string = randomUUID();
  uptimeMs = 3_600_000;
  rebootRequested = false;

  reboot(): void {
    this.rebootRequested = true;
  }

  after(): void {}
}

/** A simulated machine from a template, without clock, fleet or nested commands. `boot` simulates a boot. */
export class FixtureMachine extends SimulatedMachine {
  override readonly power: FixturePower;

  constructor(template: MachineTemplate, hostname = 'host-1') {
    const power = new FixturePower();
    super(hostname, { template, tools: new Set(template.tools) }, power, () => {
      throw new Error('nothing is launched on a machine without a simulator');
    });
    this.power = power;
  }

  get rebootRequested(): boolean {
    return this.power.rebootRequested;
  }

  override boot(): void {
    Object.assign(this.power, new FixturePower(), { uptimeMs: 0 });
    super.boot();
  }
}
