import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventReader } from '../workload/event-reader.ts';
import type { Judgement, Measured, Reading, WorkPerHour, WorkSample } from './growth-verdict.ts';
import { judge } from './growth-verdict.ts';
import type { MeasuredValue } from './limits.ts';
import { serverValues, storeValues } from './limits.ts';
import type { SoakEnvironment } from './soak-environment.ts';
import type { Workload } from './workload.ts';

interface Series {
  readonly measured: Measured;
  readonly readings: Reading[];
}

/** All readings by metric, with the work done at each time. */
export class ReadingLog {
  readonly #series = new Map<string, Series>();
  readonly workSamples: WorkSample[] = [];
  /** Delays of events. */
  readonly delays: Reading[] = [];

  add(atMs: number, values: readonly MeasuredValue[]): void {
    for (const { measured, value } of values) {
      const series = this.#series.get(measured.what) ?? { measured, readings: [] };
      series.readings.push({ atMs, value });
      this.#series.set(measured.what, series);
    }
  }

  /** Latest values of the metrics with this suffix. */
  latest(suffix: string): readonly number[] {
    return [...this.#series.values()]
      .filter(({ measured }) => measured.what.endsWith(suffix))
      .map(({ readings }) => readings.at(-1)?.value ?? Number.NaN);
  }

  judge(fromMs: number, work: WorkPerHour): readonly Judgement[] {
    return [...this.#series.values()].map(({ measured, readings }) =>
      judge(
        measured,
        readings.filter(({ atMs }) => atMs >= fromMs),
        work,
      ),
    );
  }

  get readings(): Readonly<Record<string, readonly Reading[]>> {
    const all = [...this.#series].map(([what, { readings }]) => [what, readings] as const);
    return Object.fromEntries([...all, ['events: delay', this.delays]]);
  }
}

const MINUTE_MS = 60_000;

/** Median delay of the events since the previous call. */
function createDelayMeter(reader: EventReader): () => number | undefined {
  let readCount = 0;
  return () => {
    const delaysMs = reader.events
      .slice(readCount)
      .map(({ receivedAtMs, event }) => receivedAtMs - Date.parse(`${event['at']}Z`))
      .sort((a, b) => a - b);
    readCount = reader.events.length;
    return delaysMs[Math.floor(delaysMs.length / 2)];
  };
}

export interface SamplingOptions {
  readonly minutes: number;
  readonly readingEveryS: number;
  readonly onProgress: (text: string) => void;
}

/** Takes readings until the end of the run and reports progress every minute. */
export async function collectReadings(
  environment: SoakEnvironment,
  workload: Workload,
  { minutes, readingEveryS, onProgress }: SamplingOptions,
): Promise<ReadingLog> {
  const readingLog = new ReadingLog();
  const nextDelayMs = createDelayMeter(workload.reader);
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  let reportedMinute = 0;
  for (let number = 1; elapsedMs() < minutes * MINUTE_MS; number += 1) {
    await delay(Math.max(0, number * readingEveryS * 1000 - elapsedMs()));
    // One after the other: a server does not respond during a garbage collection.
    for (const server of environment.servers)
      readingLog.add(elapsedMs(), serverValues(server.name, await server.measureUsage()));
    readingLog.add(elapsedMs(), storeValues(await environment.store.measureUsage()));
    const delayMs = nextDelayMs();
    if (delayMs !== undefined) readingLog.delays.push({ atMs: elapsedMs(), value: delayMs });
    readingLog.workSamples.push({ atMs: elapsedMs(), done: workload.done });
    const minute = Math.floor(elapsedMs() / MINUTE_MS);
    if (minute > reportedMinute) {
      reportedMinute = minute;
      onProgress(`minute ${minute} of ${minutes}: ${formatProgress(readingLog, workload)}`);
    }
  }
  return readingLog;
}

function formatProgress(readingLog: ReadingLog, workload: Workload): string {
  const formatLatest = (suffix: string) =>
    readingLog
      .latest(suffix)
      .map(value => value.toFixed(0))
      .join('/');
  const { operations, transient_hosts, requests, events } = workload.done;
  return [
    `heap ${formatLatest('heap after a collection')} MiB, memory ${formatLatest('memory (RSS)')} MiB, handles ${formatLatest('sockets')}`,
    `store ${formatLatest('store: size')} MiB, events ${readingLog.delays.at(-1)?.value} ms late`,
    `${operations} operations, ${transient_hosts} transient hosts, ${requests} requests, ${events} events`,
    `${workload.errors.length} problems, load ${loadavg()[0]?.toFixed(1)}`,
  ].join('; ');
}
