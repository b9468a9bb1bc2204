// When a page has shown what happened to hosts of an operation, against when it was saved. The clock is the same machine's.

import type { Page } from 'playwright-core';
import { statusText } from '../../../web/src/ui/format/text.ts';

/** A cell that said this from this moment on, in epoch milliseconds: after the frame in which it did. */
interface ShownStep {
  readonly label: string;
  readonly atMs: number;
}

export interface SavedStep {
  readonly host: string;
  readonly state: string;
  readonly atMs: number;
}

/** For `addInitScript`: notes each label that a cell of the grid gets. What is changed is drawn in the next frame, and a message after it comes last. */
export const WATCH_CELLS = `
globalThis.shownSteps = [];
new MutationObserver(changes => {
  const labels = new Set();
  for (const { type, target, addedNodes } of changes) {
    if (type === 'attributes') labels.add(target.getAttribute('aria-label'));
    for (const added of addedNodes)
      if (added.nodeType === 1)
        for (const cell of [added, ...added.querySelectorAll('[role=gridcell]')])
          if (cell.matches('[role=gridcell]')) labels.add(cell.getAttribute('aria-label'));
  }
  if (labels.size === 0) return;
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      const atMs = performance.timeOrigin + performance.now();
      for (const label of labels) globalThis.shownSteps.push({ label, atMs });
    };
    port2.postMessage(0);
  });
}).observe(document, { subtree: true, childList: true, attributeFilter: ['aria-label'] });
`;

export const shownSteps = (page: Page): Promise<readonly ShownStep[]> =>
  page.evaluate(() => (globalThis as unknown as { shownSteps: ShownStep[] }).shownSteps);

/** Messages of the stream of events that tell of steps. */
export const savedSteps = (messages: readonly Record<string, unknown>[]): readonly SavedStep[] =>
  messages.flatMap(({ type, host, at, data }) => {
    if (type !== 'operation.host') return [];
    const { state } = data as { readonly state: string };
    return [{ host: String(host), state, atMs: Date.parse(`${String(at)}Z`) }];
  });

/** `address, state, attempt n`; one that is done may say more of it, in brackets. */
const readLabel = (label: string) => /^(\S+), ([\w ]*\w)/.exec(label)?.slice(1) ?? [];

/**
 * How long it took from each step's save until it was shown, in milliseconds, in the order of the steps of each host; infinite for one that never
 * was. A later state stands for those before it.
 */
export function lagsOf(saved: readonly SavedStep[], shown: readonly ShownStep[]): readonly number[] {
  const shownOf = Map.groupBy(shown, ({ label }) => readLabel(label)[0] ?? '');
  return [...Map.groupBy(saved, ({ host }) => host)].flatMap(([host, steps]) => {
    const lags = steps.map(() => Number.POSITIVE_INFINITY);
    let next = 0;
    for (const { label, atMs } of (shownOf.get(host) ?? []).toSorted((a, b) => a.atMs - b.atMs)) {
      const [, state] = readLabel(label);
      const place = steps.findIndex(
        (step, index) => index >= next && statusText(step.state) === state && step.atMs <= atMs,
      );
      for (; next <= place; next += 1) lags[next] = atMs - (steps[next]?.atMs ?? 0);
    }
    return lags;
  });
}
