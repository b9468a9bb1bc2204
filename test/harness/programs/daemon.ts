import { once } from 'node:events';
import type { Argv } from '../../../src/domain/command.ts';
import { waitUntil } from '../wait-until.ts';
import { spawnTool, withParentDeathSignal } from './run-tool.ts';

/** A server process that ends with this process. */
export class Daemon {
  readonly #name: string;
  readonly #child: ReturnType<typeof spawnTool>;
  readonly #ended: Promise<unknown>;
  #log = '';
  #hasExited = false;

  constructor(argv: Argv, env: Readonly<Record<string, string>> = {}) {
    this.#name = argv[0];
    this.#child = spawnTool(withParentDeathSignal(argv), env);
    this.#child.stdin?.on('error', () => {});
    this.#child.stdin?.end();
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#log = `${this.#log}${text}`.slice(-20_000);
      });
    this.#ended = once(this.#child, 'exit')
      .catch((error: unknown) => {
        this.#log += String(error);
      })
      .finally(() => {
        this.#hasExited = true;
      });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Waits until the probe succeeds. A probe that throws is retried. */
  async waitUntilReady<Result>(probe: () => Promise<Result | undefined | false>, deadlineMs = 30_000): Promise<Result> {
    let lastError: unknown;
    const tryProbe = () =>
      probe().catch(error => {
        lastError = error;
        return undefined;
      });
    const check = () => {
      if (this.#hasExited) throw new Error('it has ended');
      return tryProbe();
    };
    return waitUntil(`${this.#name} is ready`, check, deadlineMs).catch(error => {
      throw new Error(`${error}: ${lastError ?? ''}\n${this.#log}`);
    });
  }

  /** Returns when the process has ended. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }
}
