// What the browser's own performance log says of a page while something is done with it: each task on the main thread of the page, and
// each frame that came onto the screen. What must hold: whoever drives the page meanwhile does it by mouse and keyboard, since what is
// asked of the page itself is a task of that page too.

import type { Page } from 'playwright-core';

export interface Task {
  readonly ms: number;
  /** Of the processor; the rest it waited for others on this machine. */
  readonly cpuMs: number;
}

export interface Traced {
  readonly tasks: readonly Task[];
  /** Of frames that were presented: from the tick at which each began until it was on the screen. */
  readonly framesMs: readonly number[];
}

/** One line of the log; times are in microseconds. */
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

/** The process of the page: others are the browser's own. */
function pageProcess(events: readonly TraceEvent[]): number {
  const frames = events.flatMap(({ name, args }) =>
    name === 'TracingStartedInBrowser' ? (args.data?.frames ?? []) : [],
  );
  const whole = frames.find(({ parent }) => parent === undefined);
  if (whole === undefined) throw new Error('the log of the browser names no page');
  return whole.processId;
}

function tasksIn(events: readonly TraceEvent[]): readonly Task[] {
  const main = events.find(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  return events.flatMap(({ name, ph, tid, dur = 0, tdur = 0 }) =>
    name === 'RunTask' && ph === 'X' && tid === main?.tid
      ? [{ ms: dur / US_PER_MS, cpuMs: tdur / US_PER_MS }]
      : [],
  );
}

function framesIn(events: readonly TraceEvent[]): readonly number[] {
  const begun = new Map<string | undefined, TraceEvent>();
  return events
    .filter(({ name }) => name === 'PipelineReporter')
    .toSorted((a, b) => a.ts - b.ts)
    .flatMap(event => {
      const begin = begun.get(event.id2?.local);
      begun.set(event.id2?.local, event);
      const isPresented = begin?.args.frame_reporter?.state?.startsWith('STATE_PRESENTED');
      return event.ph === 'e' && begin?.ph === 'b' && isPresented ? [(event.ts - begin.ts) / US_PER_MS] : [];
    });
}

export function readTrace(text: string): Traced {
  const { traceEvents }: { traceEvents: readonly TraceEvent[] } = JSON.parse(text);
  const process = pageProcess(traceEvents);
  const own = traceEvents.filter(({ pid }) => pid === process);
  return { tasks: tasksIn(own), framesMs: framesIn(own) };
}

/** Does something with the page, and answers what the log says of it. */
export async function traced(page: Page, act: () => Promise<void>): Promise<Traced> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser of its own');
  await browser.startTracing(page, { categories: CATEGORIES });
  try {
    await act();
  } catch (error) {
    await browser.stopTracing();
    throw error;
  }
  return readTrace((await browser.stopTracing()).toString());
}

/** What is not exceeded by this share of them. */
export function atShare(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
