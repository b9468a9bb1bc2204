// Servers that are kept busy for a while with everything that comes and goes. What must hold: after some time to warm up nothing that
// they or the store have grows, and nothing was lost or done twice.

import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../engine/operations/model/random.ts';
import { EventReader } from '../chaos/event-reader.ts';
import { AUTHORIZATION } from '../chaos/people.ts';
import { eachEventOnce, rebootedOnce } from '../chaos/rules.ts';
import { until } from '../until.ts';
import type { Count } from './callers.ts';
import { caller } from './callers.ts';
import { guest } from './guests.ts';
import { Ledger } from './ledger.ts';
import { LAG, valuesOfServer, valuesOfStore } from './limits.ts';
import { Notes } from './notes.ts';
import { Post } from './post.ts';
import { restarts } from './restarts.ts';
import type { Routine } from './routine.ts';
import type { SiteOptions } from './site.ts';
import { Site } from './site.ts';
import type { Judged } from './verdict.ts';
import { comingBack, lookingAround, unreading } from './visitors.ts';

export interface SoakOptions extends SiteOptions {
  readonly minutes: number;
  readonly warmUpMinutes: number;
  readonly readingEveryS: number;
  readonly say: (text: string) => void;
}

export interface SoakReport {
  readonly judged: readonly Judged[];
  /** What was lost, done twice, or answered otherwise than it must be. */
  readonly losses: readonly string[];
  /** How much was done. */
  readonly done: Readonly<Record<string, number>>;
  readonly readings: Ledger['readings'];
}

const MINUTE_MS = 60_000;
const SILENCE_MS = 30_000;
const VISITORS = 4;
const CALLERS = 2;
/** Names that errands make up must not be those of others. */
const ERRANDS_APART = 150_000;
const SETTLED_WITHIN_MS = 120_000;

/** Everyone who keeps the servers busy. */
class Crew {
  readonly reader: EventReader;
  readonly #routines: readonly Routine[];
  readonly #notes: Notes;
  readonly #post: Post;
  readonly #count: Count = { requests: 0, turnedAway: 0 };
  readonly #site: Site;

  constructor(site: Site, reader: EventReader, post: Post) {
    this.#site = site;
    this.reader = reader;
    this.#post = post;
    this.#notes = new Notes(site);
    const random = new Random(1);
    this.#routines = [
      this.#notes.routine,
      ...site.rings.map(ring => restarts(site, ring)),
      ...site.guests.map(address => guest(site, address)),
      ...Array.from({ length: CALLERS * site.urls.length }, (_, index) =>
        caller(site.urls[index % site.urls.length] ?? '', 1 + index * ERRANDS_APART, this.#count),
      ),
      ...Array.from({ length: VISITORS }, () => [
        comingBack(site, random, () => reader.position),
        unreading(site, random),
        lookingAround(site, random),
      ]).flat(),
    ];
  }

  start(): void {
    for (const routine of this.#routines) routine.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#routines.map(routine => routine.stop()));
  }

  get done(): Readonly<Record<string, number>> {
    const of = (beginning: string) =>
      this.#routines
        .filter(({ what }) => what.startsWith(beginning))
        .reduce((sum, { done }) => sum + done, 0);
    return {
      operations: of('operations'),
      guests: of('host'),
      records: of('records'),
      readers: of('a reader') + of('somebody'),
      requests: this.#count.requests,
      turned_away: this.#count.turnedAway,
      events: this.reader.events.length,
      webhook_messages: this.#post.received,
    };
  }

  /** So far. */
  get problems(): readonly string[] {
    return this.#routines.flatMap(({ problems }) => problems);
  }

  /** After the end. */
  async losses(): Promise<readonly string[]> {
    const { reader } = this;
    const left = await this.#settled();
    const events = eachEventOnce(reader.events.map(({ id }) => id));
    return [
      ...this.problems,
      ...(await this.#notes.missing()),
      ...left,
      ...reader.problems,
      ...events,
      ...(await this.#post.problems(reader)),
      ...rebootedOnce(this.#site.fleet.diary),
      ...this.#site.servers.filter(({ isRunning }) => !isRunning).map(({ name }) => `${name} has ended`),
    ];
  }

  /** Waits until nothing is on its way any more; answers what stays. */
  async #settled(): Promise<readonly string[]> {
    const { hosts } = this.#site.options;
    const wanted = { outbox: 0, work: 0, hosts, host_access: hosts, agenda: hosts };
    const look = async () => {
      const { rows } = await this.#site.storeHoldings();
      return Object.entries(wanted)
        .filter(([table, count]) => rows[table] !== count)
        .map(([table, count]) => `${table} has ${rows[table]} rows instead of ${count}`);
    };
    await until('nothing is left', async () => (await look()).length === 0, SETTLED_WITHIN_MS).catch(
      () => {},
    );
    const left = await look();
    const { lastEvent } = await this.#site.storeHoldings();
    const isThere = () => this.reader.position >= lastEvent;
    await until('the last event', isThere, SETTLED_WITHIN_MS).catch(() => {});
    return isThere()
      ? left
      : [...left, `the last event is ${lastEvent}, and ${this.reader.position} was seen`];
  }
}

/** The median delay of the events that came since the last time it was asked. */
function delays(reader: EventReader): () => number | undefined {
  let seen = 0;
  return () => {
    const delaysMs = reader.events
      .slice(seen)
      .map(({ seenAtMs, event }) => seenAtMs - Date.parse(`${event['at']}Z`))
      .sort((a, b) => a - b);
    seen = reader.events.length;
    return delaysMs[Math.floor(delaysMs.length / 2)];
  };
}

async function watch(site: Site, crew: Crew, options: SoakOptions): Promise<Ledger> {
  const { minutes, readingEveryS, say } = options;
  const ledger = new Ledger();
  const delayOf = delays(crew.reader);
  const beganMs = performance.now();
  const sinceMs = () => performance.now() - beganMs;
  let saidMinute = 0;
  for (let number = 1; sinceMs() < minutes * MINUTE_MS; number += 1) {
    await delay(Math.max(0, number * readingEveryS * 1000 - sinceMs()));
    // One after the other: while a heap is cleared its server answers nobody.
    for (const server of site.servers)
      ledger.add(sinceMs(), valuesOfServer(server.name, await server.holdings()));
    const lag = delayOf();
    ledger.add(sinceMs(), [
      ...valuesOfStore(await site.storeHoldings()),
      ...(lag === undefined ? [] : [{ measured: LAG, value: lag }]),
    ]);
    const minute = Math.floor(sinceMs() / MINUTE_MS);
    if (minute > saidMinute) {
      saidMinute = minute;
      say(`minute ${minute} of ${minutes}: ${progress(ledger, crew)}`);
    }
  }
  return ledger;
}

function progress(ledger: Ledger, crew: Crew): string {
  const all = (ending: string) =>
    ledger
      .latest(ending)
      .map(value => value.toFixed(0))
      .join('/');
  const { operations, guests, requests, events } = crew.done;
  return [
    `heap ${all('heap after a collection')} MiB, memory ${all('memory (RSS)')} MiB, handles ${all('sockets')}`,
    `store ${all('store: size')} MiB, events ${all('events: delay')} ms late`,
    `${operations} operations, ${guests} hosts came and went, ${requests} requests, ${events} events`,
    `${crew.problems.length} problems, load ${loadavg()[0]?.toFixed(1)}`,
  ].join('; ');
}

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { say, warmUpMinutes } = options;
  const site = await Site.open(options);
  const reader = new EventReader({
    urls: () => site.urls,
    authorization: AUTHORIZATION,
    silenceMs: SILENCE_MS,
  });
  reader.start();
  let post: Post | undefined;
  try {
    await site.enrolAll(say);
    post = await Post.open(site);
    const crew = new Crew(site, reader, post);
    crew.start();
    const ledger = await watch(site, crew, options).finally(() => crew.stop());
    const losses = await crew.losses();
    const judged = ledger.judge(warmUpMinutes * MINUTE_MS);
    return { judged, losses, done: crew.done, readings: ledger.readings };
  } finally {
    await reader.stop();
    await post?.close();
    await site.stop();
  }
}
