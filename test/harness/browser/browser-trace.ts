// Main-thread tasks and presented frames of a page, from the performance trace of the browser. Tests must
// drive the page by mouse and keyboard only: `page.evaluate` would add tasks to the trace.

import type { Page } from 'playwright-core';

interface Task {
  readonly ms: number;
  /** CPU time; the rest of `ms` is waiting for other processes. */
  readonly cpuMs: number;
}

export interface PageTrace {
  readonly tasks: readonly Task[];
  /** From the start of each presented frame until it is on the screen. */
  readonly framesMs: readonly number[];
}

/** Times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly id2?: { readonly local?: string };
  readonly args: {
    readonly name?: string;
    readonly frame_reporter?: { readonly state?: string };
    readonly data?: { readonly frames?: readonly { readonly processId: number; readonly parent?: string }[] };
  };
}

const CATEGORIES = [
  '-*',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
];
const US_PER_MS = 1000;

function pageProcess(events: readonly TraceEvent[]): number {
  const frames = events.flatMap(({ name, args }) =>
    name === 'TracingStartedInBrowser' ? (args.data?.frames ?? []) : [],
  );
  const mainFrame = frames.find(({ parent }) => parent === undefined);
  if (mainFrame === undefined) throw new Error('the trace contains no page');
  return mainFrame.processId;
}

function findTasks(events: readonly TraceEvent[]): readonly Task[] {
  const main = events.find(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  return events.flatMap(({ name, ph, tid, dur = 0, tdur = 0 }) =>
    name === 'RunTask' && ph === 'X' && tid === main?.tid ? [{ ms: dur / US_PER_MS, cpuMs: tdur / US_PER_MS }] : [],
  );
}

function findFrameTimes(events: readonly TraceEvent[]): readonly number[] {
  const starts = new Map<string | undefined, TraceEvent>();
  return events
    .filter(({ name }) => name === 'PipelineReporter')
    .toSorted((a, b) => a.ts - b.ts)
    .flatMap(event => {
      const start = starts.get(event.id2?.local);
      starts.set(event.id2?.local, event);
      const isPresented = start?.args.frame_reporter?.state?.startsWith('STATE_PRESENTED');
      return event.ph === 'e' && start?.ph === 'b' && isPresented ? [(event.ts - start.ts) / US_PER_MS] : [];
    });
}

function readTrace(text: string): PageTrace {
  const { traceEvents }: { traceEvents: readonly TraceEvent[] } = JSON.parse(text);
  const processId = pageProcess(traceEvents);
  const pageEvents = traceEvents.filter(({ pid }) => pid === processId);
  return { tasks: findTasks(pageEvents), framesMs: findFrameTimes(pageEvents) };
}

export async function tracePage(page: Page, action: () => Promise<void>): Promise<PageTrace> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  await browser.startTracing(page, { categories: CATEGORIES });
  try {
    await action();
  } catch (error) {
    await browser.stopTracing();
    throw error;
  }
  return readTrace((await browser.stopTracing()).toString());
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
