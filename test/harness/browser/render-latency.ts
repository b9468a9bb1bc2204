// Delay between saving a step and showing it on the page. Both times are from the same clock.

import type { Page } from 'playwright-core';
import { statusText } from '../../../web/src/ui/format/text.ts';

/** `atMs` is the time after the frame that first showed the label, in milliseconds since 1970. */
interface RenderedStep {
  readonly label: string;
  readonly atMs: number;
}

export interface SavedStep {
  readonly host: string;
  readonly state: string;
  readonly atMs: number;
}

/**
 * For `addInitScript`: records each label of a grid cell. A message posted in an animation frame arrives
 * after that frame is drawn.
 */
export const OBSERVE_CELLS = `
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

export const getRenderedSteps = (page: Page): Promise<readonly RenderedStep[]> =>
  page.evaluate(() => (globalThis as unknown as { shownSteps: RenderedStep[] }).shownSteps);

export const toSavedSteps = (messages: readonly Record<string, unknown>[]): readonly SavedStep[] =>
  messages.flatMap(({ type, host, at, data }) => {
    if (type !== 'operation.host') return [];
    const { state } = data as { readonly state: string };
    return [{ host: String(host), state, atMs: Date.parse(`${String(at)}Z`) }];
  });

/** Format: `address, state, attempt n`. A state may have an addition in brackets. */
const readLabel = (label: string) => /^(\S+), ([\w ]*\w)/.exec(label)?.slice(1) ?? [];

/**
 * Milliseconds from each save until the state was visible, in the order of the steps of each host; infinite
 * if it was never visible. A later state counts for the states before it.
 */
export function computeLags(saved: readonly SavedStep[], rendered: readonly RenderedStep[]): readonly number[] {
  const renderedByHost = Map.groupBy(rendered, ({ label }) => readLabel(label)[0] ?? '');
  return [...Map.groupBy(saved, ({ host }) => host)].flatMap(([host, steps]) => {
    const lags = steps.map(() => Number.POSITIVE_INFINITY);
    let next = 0;
    for (const { label, atMs } of (renderedByHost.get(host) ?? []).toSorted((a, b) => a.atMs - b.atMs)) {
      const [, state] = readLabel(label);
      const lastIndex = steps.findIndex(
        (step, index) => index >= next && statusText(step.state) === state && step.atMs <= atMs,
      );
      for (; next <= lastIndex; next += 1) lags[next] = atMs - (steps[next]?.atMs ?? 0);
    }
    return lags;
  });
}
