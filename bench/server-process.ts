import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';

/** A server process with `event-loop-probe.ts` preloaded. */
export class ServerProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Starts the process and waits for the URL that it prints. Its log goes to a file, as in production. */
  static async start(args: readonly string[], env: Record<string, string>, log: string): Promise<ServerProcess> {
    const child = spawn(process.execPath, ['--import', `${import.meta.dirname}/event-loop-probe.ts`, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', openSync(log, 'a'), 'ipc'],
    });
    let output = '';
    for await (const text of child.stdout ?? []) {
      output += text;
      const url = /http:\/\/[\d.:]+\d/.exec(output)?.[0];
      if (url) return new ServerProcess(child, url);
    }
    throw new Error(`the server did not start: ${output}`);
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** The 99th percentile of the event loop delay since the last call. */
  async loopDelayP99Ms(): Promise<number> {
    return Number(await this.#query('loop delay'));
  }

  /** With `--expose-gc`, the heap contains no garbage. */
  async memory(): Promise<NodeJS.MemoryUsage> {
    return (await this.#query('memory')) as NodeJS.MemoryUsage;
  }

  async #query(query: string): Promise<unknown> {
    const response = new Promise<unknown>(resolve => this.#child.once('message', resolve));
    this.#child.send(query);
    return response;
  }

  async stop(): Promise<void> {
    const exited = new Promise(resolve => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await exited;
  }
}
