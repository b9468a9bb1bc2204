// What a test host gets its power from: the child of this process in which it runs, started again when it reboots.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Argv } from '../../../src/domain/command.ts';
import { until } from '../until.ts';
import { childrenOf, signalAll } from './process-tree.ts';
import { dyingWithUs, spawnTool } from './run-tool.ts';

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface Machine {
  /** What to run for one boot; its only child is the first process of the host. */
  boot(): Argv;
  /** Whether it has ended since the host wants to boot again. */
  isReboot(exit: Exit): boolean;
}

export class Power {
  readonly #machine: Machine;
  #child: ChildProcess | undefined;
  #console = '';
  #boots = 0;
  #isWanted = false;
  /** A host that reboots by itself then waits for somebody to switch it on. */
  staysOffAfterReboot = false;
  /** How long a host that reboots by itself is without a process. */
  rebootTakesMs = 0;
  /** Told when it goes on, and when it goes off, however that came about. */
  onSwitched: (isOn: boolean) => void = () => {};

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  get isOn(): boolean {
    return this.#child !== undefined;
  }

  /** How often it was started. */
  get boots(): number {
    return this.#boots;
  }

  /** What it has printed, at the end. */
  get console(): string {
    return this.#console;
  }

  on(): void {
    this.#isWanted = true;
    if (this.#child) return;
    const child = spawnTool(dyingWithUs(this.#machine.boot()));
    this.#child = child;
    this.#boots++;
    this.onSwitched(true);
    child.stdin?.on('error', () => {});
    child.stdin?.end();
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#console = `${this.#console}${text}`.slice(-20_000);
      });
    child.once('error', error => {
      this.#console += String(error);
      this.#child = undefined;
    });
    child.once('exit', (code, signal) => {
      this.#child = undefined;
      this.onSwitched(false);
      if (!this.staysOffAfterReboot && this.#machine.isReboot({ code, signal })) this.#comeBack();
    });
  }

  #comeBack(): void {
    if (this.rebootTakesMs === 0) {
      if (this.#isWanted) this.on();
      return;
    }
    setTimeout(() => {
      if (this.#isWanted) this.on();
    }, this.rebootTakesMs);
  }

  /** The first process of the host, as this machine numbers it. */
  async firstProcess(): Promise<number> {
    return until('the host has a first process', () => {
      if (!this.#child?.pid) throw new Error(`the host is off:\n${this.#console}`);
      return childrenOf(this.#child.pid)[0];
    });
  }

  /** At once, as when the plug is pulled. Nothing of the host runs any more when this is done. */
  async off(): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    if (!child?.pid) return;
    const exit = once(child, 'exit');
    // The kernel ends all others with the first process, and tells its parent when they are gone.
    const first = await until(
      'the host has a first process',
      () => childrenOf(child.pid ?? 0)[0] ?? this.#child !== child,
    );
    signalAll(typeof first === 'number' ? [first] : [], 'SIGKILL');
    await exit;
  }
}
