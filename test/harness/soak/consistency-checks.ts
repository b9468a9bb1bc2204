import type { AdminClient } from '../chaos/admin-client.ts';
import type { ReceivedEvent } from '../chaos/event-reader.ts';
import { waitUntil } from '../wait-until.ts';

type PublishedEvent = Pick<ReceivedEvent, 'type' | 'event'>;

const toKey = (type: string, subject: string) => `${type} of ${subject}`;

/** The record that the event type names. */
const getSubject = ({ type, event }: PublishedEvent) => String(event[type.split('.')[0] ?? '']);

/** Acknowledged changes, each of which must have exactly one event. A lost event leaves no gap in the IDs. */
export class AcknowledgedChanges {
  readonly #counts = new Map<string, number>();

  /** `subject` is a cluster, a host or an operation. */
  add(type: string, subject: string): void {
    const key = toKey(type, subject);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  findViolations(events: readonly PublishedEvent[]): readonly string[] {
    const published = Map.groupBy(events, event => toKey(event.type, getSubject(event)));
    return [...this.#counts]
      .map(([key, count]) => ({ key, count, times: published.get(key)?.length ?? 0 }))
      .filter(({ count, times }) => times !== count)
      .map(({ key, count, times }) => `${key} was acknowledged ${count} times, and published ${times} times`);
  }
}

const RESPONSE_TIMEOUT_MS = 60_000;

interface ServerGroup {
  readonly servers: readonly { readonly name: string; readonly url: string | undefined }[];
  readonly admin: AdminClient;
}

/**
 * Returns the servers whose response has another status. Errors and missing responses are retried until the
 * timeout.
 */
export async function checkEveryServer(
  { servers, admin }: ServerGroup,
  target: string,
  status: number,
  withinMs = RESPONSE_TIMEOUT_MS,
): Promise<readonly string[]> {
  const errors = servers.map(async server => {
    const getStatus = async () => {
      const response = await admin.request(server, target);
      return response !== undefined && response.status < 500 && response.status;
    };
    const found = await waitUntil('an answer', getStatus, withinMs).catch(() => undefined);
    if (found === status) return [];
    const outcome = found === undefined ? 'does not respond' : `returns ${found}`;
    return [`${server.name} ${outcome} instead of ${status} to ${target}`];
  });
  return (await Promise.all(errors)).flat();
}
