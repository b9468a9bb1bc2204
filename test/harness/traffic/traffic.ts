import type { RouteName } from '../../../src/contract/index.ts';
import { RawConnection } from '../raw-connection.ts';
import { errand } from './errands.ts';
import type { Step } from './steps.ts';

const CALLERS = 8;

/** Several callers that run errands at the same time. */
export class Traffic {
  readonly routes = new Set<RouteName>();
  readonly #url: string;
  #requests = 0;
  #errands = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Goes on until so many requests were sent in all; then nobody is connected any more. */
  async until(requests: number): Promise<void> {
    await Promise.all(Array.from({ length: CALLERS }, () => this.#call(requests)));
  }

  async #call(requests: number) {
    let connection = new RawConnection(this.#url);
    try {
      while (this.#requests < requests) {
        this.#errands += 1;
        for (const step of errand(this.#errands)) {
          if (connection.isClosed) connection = new RawConnection(this.#url);
          await this.#take(step, connection);
        }
      }
    } finally {
      connection.close();
    }
  }

  async #take({ bytes, status, route }: Step, connection: RawConnection) {
    this.#requests += 1;
    if (route) this.routes.add(route);
    connection.write(bytes);
    const answer = status === undefined ? undefined : await connection.answer();
    if (answer?.headers.get('connection') !== 'keep-alive') connection.close();
    if (answer?.status !== status)
      throw new Error(`${answer?.status} instead of ${status}: ${bytes.slice(0, 200)}\n${answer?.body}`);
  }
}
