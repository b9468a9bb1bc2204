import { setTimeout as delay } from 'node:timers/promises';
import type { RouteName } from '../../../src/contract/index.ts';
import { errorMessage } from '../../../src/lib/errors.ts';
import { RawConnection } from '../http/raw-connection.ts';
import { LoadLoop } from './load-loop.ts';
import { getScenario } from './request-scenarios.ts';
import type { ScenarioRequest } from './requests.ts';

interface UnexpectedResponse {
  /** `undefined`: no response. */
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends requests on one connection as long as the server keeps it open. */
export class ScenarioClient {
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

const RETRY_DELAY_MS = 500;
const UNAVAILABLE = 503;

/** What the clients of a run have sent. */
export class RequestCounts {
  requests = 0;
  /** Number of 503 responses. */
  unavailable = 0;
  readonly routes = new Set<RouteName>();
}

interface RequestLoadOptions {
  readonly client: ScenarioClient;
  readonly counts: RequestCounts;
  readonly pauseMs: number;
  /** Index of the scenario of a round. */
  readonly scenario: (round: number) => number;
}

/**
 * Runs request scenarios. It reports unexpected responses, repeats requests with a 503 response, and completes the
 * scenario, so that its records are removed.
 */
export function requestLoad({ client, counts, pauseMs, scenario }: RequestLoadOptions): LoadLoop {
  const send = async (request: ScenarioRequest): Promise<readonly string[]> => {
    counts.requests += 1;
    if (request.route) counts.routes.add(request.route);
    const unexpected = await client.send(request);
    if (unexpected?.status !== UNAVAILABLE) return unexpected ? [unexpected.text] : [];
    counts.unavailable += 1;
    await delay(RETRY_DELAY_MS);
    return send(request);
  };
  return new LoadLoop('request scenario', pauseMs, async round => {
    const errors: string[] = [];
    for (const request of getScenario(scenario(round))) errors.push(...(await send(request)));
    return errors;
  });
}
