// Those who read events for a while: some that come back and resume where they were, some that read nothing of what they asked for, and
// some that look at the dashboard.

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../engine/operations/model/random.ts';
import { EventReader } from '../chaos/event-reader.ts';
import { AUTHORIZATION } from '../chaos/people.ts';
import { eachEventOnce } from '../chaos/rules.ts';
import { ADMIN, requestOf } from '../traffic/steps.ts';
import { until } from '../until.ts';
import { Routine } from './routine.ts';
import type { Site } from './site.ts';
import { SESSION_S } from './site.ts';

const PAUSE_MS = 200;
const SILENCE_MS = 30_000;
const SHORTEST_MS = 500;
const LONGEST_MS = 8000;
const VISITS = 3;
const CAUGHT_UP_WITHIN_MS = 60_000;
/** They are told to try again, and do so in their next round. */
const UNAVAILABLE = 503;
const UNAUTHORIZED = 401;

/** Waits until a reader has seen what others knew; that it never does is wrong. */
export async function behind(
  reader: Pick<EventReader, 'position'>,
  known: number,
  withinMs = CAUGHT_UP_WITHIN_MS,
): Promise<readonly string[]> {
  const hasAll = () => reader.position >= known;
  await until('all that others know', hasAll, withinMs).catch(() => {});
  return hasAll() ? [] : [`it was told up to ${reader.position}, and others knew ${known} when it came`];
}

/** Reads at one server, leaves, and goes on at another by the number of the last event, until it has what others have. */
export const comingBack = (site: Site, random: Random, newest: () => number): Routine =>
  new Routine('a reader that comes back', PAUSE_MS, async () => {
    const first = newest();
    const ids: number[] = [];
    const problems: string[] = [];
    for (let visit = 1; visit <= VISITS; visit += 1) {
      const url = random.pick(site.urls);
      const known = newest();
      const reader = new EventReader({
        ...{ urls: () => [url], authorization: AUTHORIZATION, silenceMs: SILENCE_MS },
        after: ids.at(-1) ?? first,
      });
      reader.start();
      await delay(random.between(SHORTEST_MS, LONGEST_MS));
      if (visit === VISITS) problems.push(...(await behind(reader, known)));
      await reader.stop();
      ids.push(...reader.events.map(({ id }) => id));
      problems.push(...reader.problems);
    }
    return [...problems, ...eachEventOnce(ids.map(id => id - first))];
  });

/** Asks for events and takes none of them, until it goes or is cut off. */
export const unreading = (site: Site, random: Random): Routine =>
  new Routine('a reader that reads nothing', PAUSE_MS, async () => {
    const { hostname, port } = new URL(random.pick(site.urls));
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(requestOf({ method: 'GET', target: '/api/v0/events', as: ADMIN }));
    await delay(2 * random.between(SHORTEST_MS, LONGEST_MS));
    socket.destroy();
    return [];
  });

const PAGES = [
  'overview',
  'hosts?limit=50&extended=true',
  'operations?limit=20',
  'audit?limit=20',
  'health-checks',
];

/** Signs in, looks around while events come in, and signs out or just goes; then the session ends by itself. */
export const lookingAround = (site: Site, random: Random): Routine =>
  new Routine('somebody at the dashboard', PAUSE_MS, async number => {
    const api = `${random.pick(site.urls)}/api/v0`;
    const dashboard = { 'hostler-dashboard': '1' };
    const beganMs = performance.now();
    const begun = await fetch(`${api}/session`, {
      method: 'PUT',
      headers: { ...dashboard, authorization: AUTHORIZATION },
    });
    await begun.text();
    if (begun.status === UNAVAILABLE) return [];
    if (begun.status !== 201) return [`signing in is answered with ${begun.status}`];
    const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
    const headers = { ...dashboard, cookie };
    const leaving = new AbortController();
    const stream = await fetch(`${api}/events`, { headers, signal: leaving.signal });
    const reading = stream.body?.pipeTo(new WritableStream()).catch(() => {});
    const problems: string[] = [];
    for (const page of PAGES) {
      const answer = await fetch(`${api}/${page}`, { headers });
      await answer.text();
      const forS = (performance.now() - beganMs) / 1000;
      // On a machine with far too much to do some are still looking when their session is over.
      if (answer.status === UNAUTHORIZED && forS > SESSION_S) break;
      if (![200, UNAVAILABLE].includes(answer.status))
        problems.push(`${page} is answered with ${answer.status}, ${forS.toFixed(1)} s after signing in`);
      await delay(random.between(SHORTEST_MS, LONGEST_MS) / PAGES.length);
    }
    if (number % 2 === 0) await (await fetch(`${api}/session`, { method: 'DELETE', headers })).text();
    leaving.abort();
    await reading;
    return problems;
  });
