import type { RouteName } from '../../../src/contract/index.ts';
import { errorMessage } from '../../../src/lib/errors.ts';
import { RawConnection } from '../http/raw-connection.ts';
import { getScenario } from './request-scenarios.ts';
import type { ScenarioRequest } from './requests.ts';

export interface UnexpectedResponse {
  /** `undefined`: no response. */
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends requests on one connection as long as the server keeps it open. */
export class TestClient {
  readonly #url: string;
  readonly #timeoutMs: number | undefined;
  #connection: RawConnection;

  constructor(url: string, timeoutMs?: number) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
    this.#connection = this.#connect();
  }

  #connect(): RawConnection {
    return new RawConnection(this.#url, this.#timeoutMs);
  }

  /** Returns the response if it is unexpected. */
  async send({ bytes, status }: ScenarioRequest): Promise<UnexpectedResponse | undefined> {
    if (this.#connection.isClosed) this.#connection = this.#connect();
    this.#connection.write(bytes);
    try {
      const response = status === undefined ? undefined : await this.#connection.nextResponse();
      if (response?.headers.get('connection') !== 'keep-alive') this.#connection.close();
      if (response?.status === status) return undefined;
      const text = `${response?.status} instead of ${status}: ${bytes.slice(0, 200)}\n${response?.body}`;
      return { status: response?.status, text };
    } catch (error) {
      this.#connection.close();
      return { status: undefined, text: `${errorMessage(error)}: ${bytes.slice(0, 200)}` };
    }
  }

  close(): void {
    this.#connection.close();
  }
}

const CLIENTS = 8;

/** Concurrent clients that run request scenarios. */
export class Traffic {
  readonly routes = new Set<RouteName>();
  readonly #url: string;
  #requests = 0;
  #scenarios = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Sends at least this total number of requests and disconnects. */
  async sendRequests(requests: number): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, () => this.#call(requests)));
  }

  async #call(requests: number) {
    const client = new TestClient(this.#url);
    try {
      while (this.#requests < requests) {
        this.#scenarios += 1;
        for (const request of getScenario(this.#scenarios)) {
          this.#requests += 1;
          if (request.route) this.routes.add(request.route);
          const unexpected = await client.send(request);
          if (unexpected) throw new Error(unexpected.text);
        }
      }
    } finally {
      client.close();
    }
  }
}
