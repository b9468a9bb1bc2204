import { once } from 'node:events';
import type { Argv } from '../../../src/domain/command.ts';
import { dyingWithUs, spawnTool } from '../hosts/run-tool.ts';
import { until } from '../until.ts';

/** A server that a test has started. It ends with this process, however that ends. */
export class Daemon {
  readonly #name: string;
  readonly #child: ReturnType<typeof spawnTool>;
  readonly #ended: Promise<unknown>;
  #log = '';
  #isOver = false;

  constructor(argv: Argv, env: Readonly<Record<string, string>> = {}) {
    this.#name = argv[0];
    this.#child = spawnTool(dyingWithUs(argv), { env });
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
        this.#isOver = true;
      });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Waits until it does what is asked for; a question that throws is an answer that is still to come. */
  async ready<Answer>(ask: () => Promise<Answer | undefined | false>, deadlineMs = 30_000): Promise<Answer> {
    let problem: unknown;
    const asked = () =>
      ask().catch(error => {
        problem = error;
        return undefined;
      });
    const check = () => {
      if (this.#isOver) throw new Error('it has ended');
      return asked();
    };
    return until(`${this.#name} is ready`, check, deadlineMs).catch(error => {
      throw new Error(`${error}: ${problem ?? ''}\n${this.#log}`);
    });
  }

  /** At once, unless another signal is asked for. It is gone when this is done. */
  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }
}
