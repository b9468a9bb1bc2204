// The child process in which a test host runs. It is restarted when the host reboots.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Argv } from '../../../src/domain/command.ts';
import { listChildren, signalAll } from '../programs/proc-files.ts';
import { spawnTool, withParentDeathSignal } from '../programs/run-tool.ts';
import { waitUntil } from '../wait-until.ts';

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface HostProcessOptions {
  /** Command for one boot; its only child is the init process of the host. */
  boot(): Argv;
  /** Whether the host has ended to reboot. */
  isReboot(exit: Exit): boolean;
}

export class HostProcess {
  readonly #options: HostProcessOptions;
  #child: ChildProcess | undefined;
  #console = '';
  #boots = 0;
  #shouldRun = false;
  /** A host that reboots stays off until it is started again. */
  staysOffAfterReboot = false;
  /** Time without a process during a reboot. */
  rebootDurationMs = 0;
  /** Called whenever the host starts or stops. */
  onStateChange: (isRunning: boolean) => void = () => {};

  constructor(options: HostProcessOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** Number of starts. */
  get boots(): number {
    return this.#boots;
  }

  /** End of the output. */
  get console(): string {
    return this.#console;
  }

  start(): void {
    this.#shouldRun = true;
    if (this.#child) return;
    const child = spawnTool(withParentDeathSignal(this.#options.boot()));
    this.#child = child;
    this.#boots++;
    this.onStateChange(true);
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
      this.onStateChange(false);
      if (!this.staysOffAfterReboot && this.#options.isReboot({ code, signal })) this.#restart();
    });
  }

  #restart(): void {
    if (this.rebootDurationMs === 0) {
      if (this.#shouldRun) this.start();
      return;
    }
    setTimeout(() => {
      if (this.#shouldRun) this.start();
    }, this.rebootDurationMs);
  }

  /** PID of init in the namespace of this machine. */
  async firstProcess(): Promise<number> {
    return waitUntil('the host has a first process', () => {
      if (!this.#child?.pid) throw new Error(`the host is off:\n${this.#console}`);
      return listChildren(this.#child.pid)[0];
    });
  }

  /** Kills the host. All its processes have ended on return. */
  async stop(): Promise<void> {
    this.#shouldRun = false;
    const child = this.#child;
    if (!child?.pid) return;
    const exit = once(child, 'exit');
    // The kernel kills all processes of the PID namespace with init, and init exits last.
    const first = await waitUntil(
      'the host has a first process',
      () => listChildren(child.pid ?? 0)[0] ?? this.#child !== child,
    );
    signalAll(typeof first === 'number' ? [first] : [], 'SIGKILL');
    await exit;
  }
}
