import { errorMessage } from '../../../src/lib/errors.ts';
import { RawConnection } from '../http/raw-connection.ts';
import type { Step } from './steps.ts';

/** Another answer than the one that a request must get. */
export interface WrongAnswer {
  /** `undefined`: there was none. */
  readonly status: number | undefined;
  readonly text: string;
}

/** One who sends requests, all on one connection as long as the service keeps it. */
export class Caller {
  readonly #url: string;
  readonly #answerWithinMs: number | undefined;
  #connection: RawConnection;

  constructor(url: string, answerWithinMs?: number) {
    this.#url = url;
    this.#answerWithinMs = answerWithinMs;
    this.#connection = this.#connect();
  }

  #connect(): RawConnection {
    return new RawConnection(this.#url, this.#answerWithinMs);
  }

  /** Answers what is wrong with the answer, if something is. */
  async take({ bytes, status }: Step): Promise<WrongAnswer | undefined> {
    if (this.#connection.isClosed) this.#connection = this.#connect();
    this.#connection.write(bytes);
    try {
      const answer = status === undefined ? undefined : await this.#connection.answer();
      if (answer?.headers.get('connection') !== 'keep-alive') this.#connection.close();
      if (answer?.status === status) return undefined;
      const text = `${answer?.status} instead of ${status}: ${bytes.slice(0, 200)}\n${answer?.body}`;
      return { status: answer?.status, text };
    } catch (error) {
      this.#connection.close();
      return { status: undefined, text: `${errorMessage(error)}: ${bytes.slice(0, 200)}` };
    }
  }

  close(): void {
    this.#connection.close();
  }
}
