// Event clients: readers that reconnect and resume, readers that stop reading, and dashboard sessions.

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { waitUntil } from '../wait-until.ts';
import type { AdminClient } from './admin-client.ts';
import { AUTHORIZATION } from './admin-client.ts';
import { EventReader } from './event-reader.ts';
import { checkEventSequence } from './invariants.ts';
import { LoadLoop } from './load-loop.ts';
import { ADMIN, formatRequest } from './requests.ts';

const PAUSE_MS = 200;
const IDLE_TIMEOUT_MS = 30_000;
const SHORTEST_MS = 500;
const LONGEST_MS = 8000;
const CONNECTIONS = 3;
const CATCH_UP_TIMEOUT_MS = 60_000;
/** The next round retries. */
const UNAVAILABLE = 503;
const UNAUTHORIZED = 401;

/** Waits until the reader reaches the newest event. */
export async function checkCaughtUp(
  reader: Pick<EventReader, 'position'>,
  newestKnown: number,
  withinMs = CATCH_UP_TIMEOUT_MS,
): Promise<readonly string[]> {
  const hasAll = () => reader.position >= newestKnown;
  await waitUntil('all events are received', hasAll, withinMs).catch(() => {});
  return hasAll() ? [] : [`received events up to ${reader.position}, but the newest is ${newestKnown}`];
}

/** Reads on one server, disconnects and resumes on another by Last-Event-ID, until it has caught up. */
export const resumingReader = (admin: AdminClient, random: Random, newest: () => number): LoadLoop =>
  new LoadLoop('resuming reader', PAUSE_MS, async () => {
    const first = newest();
    const ids: number[] = [];
    const errors: string[] = [];
    for (let connection = 1; connection <= CONNECTIONS; connection += 1) {
      const url = random.pick(admin.urls);
      const newestKnown = newest();
      const reader = new EventReader({
        ...{ urls: () => [url], authorization: AUTHORIZATION, idleTimeoutMs: IDLE_TIMEOUT_MS },
        after: ids.at(-1) ?? first,
      });
      reader.start();
      await delay(random.between(SHORTEST_MS, LONGEST_MS));
      if (connection === CONNECTIONS) errors.push(...(await checkCaughtUp(reader, newestKnown)));
      await reader.stop();
      ids.push(...reader.events.map(({ id }) => id));
      errors.push(...reader.errors);
    }
    return [...errors, ...checkEventSequence(ids.map(id => id - first))];
  });

/** Opens a stream without reading it, until the reader disconnects or the server closes the connection. */
export const stalledReader = (admin: AdminClient, random: Random): LoadLoop =>
  new LoadLoop('stalled reader', PAUSE_MS, async () => {
    const { hostname, port } = new URL(random.pick(admin.urls));
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(formatRequest({ method: 'GET', target: '/api/v0/events', as: ADMIN }));
    await delay(2 * random.between(SHORTEST_MS, LONGEST_MS));
    socket.destroy();
    return [];
  });

const PAGES = ['overview', 'hosts?limit=50&extended=true', 'operations?limit=20', 'audit?limit=20', 'health-checks'];

/** Creates a session, loads pages while events arrive, and signs out or leaves the session to expire. */
export const dashboardReader = (admin: AdminClient, random: Random, sessionS: number): LoadLoop =>
  new LoadLoop('dashboard user', PAUSE_MS, async number => {
    const api = `${random.pick(admin.urls)}/api/v0`;
    const dashboard = { 'hostler-dashboard': '1' };
    const startedMs = performance.now();
    const session = await fetch(`${api}/session`, {
      method: 'PUT',
      headers: { ...dashboard, authorization: AUTHORIZATION },
    });
    await session.text();
    if (session.status === UNAVAILABLE) return [];
    if (session.status !== 201) return [`PUT /session returned ${session.status}`];
    const [cookie = ''] = (session.headers.get('set-cookie') ?? '').split(';');
    const headers = { ...dashboard, cookie };
    const abort = new AbortController();
    const stream = await fetch(`${api}/events`, { headers, signal: abort.signal });
    const reading = stream.body?.pipeTo(new WritableStream()).catch(() => {});
    const errors: string[] = [];
    for (const page of PAGES) {
      const response = await fetch(`${api}/${page}`, { headers });
      await response.text();
      const elapsedS = (performance.now() - startedMs) / 1000;
      // On an overloaded machine the session may expire first.
      if (response.status === UNAUTHORIZED && elapsedS > sessionS) break;
      if (![200, UNAVAILABLE].includes(response.status))
        errors.push(`GET ${page} returned ${response.status}, ${elapsedS.toFixed(1)} s after signing in`);
      await delay(random.between(SHORTEST_MS, LONGEST_MS) / PAGES.length);
    }
    if (number % 2 === 0) await (await fetch(`${api}/session`, { method: 'DELETE', headers })).text();
    abort.abort();
    await reading;
    return errors;
  });
