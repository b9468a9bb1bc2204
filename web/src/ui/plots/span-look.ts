import type { StatusWord, Tone } from '#client/tone.ts';
import { toneOf } from '#client/tone.ts';

/** What happens after another status of the same tone, and is told from it by stripes. */
const STRIPED: ReadonlySet<StatusWord> = new Set(['bootstrapping']);

interface SpanLook {
  readonly 'data-tone': Tone;
  readonly 'data-striped': boolean;
}

/** How a span of a status looks, and its sign in the legend: no two statuses of one thing look the same. */
export const spanLook = (word: StatusWord): SpanLook => ({
  'data-tone': toneOf(word),
  'data-striped': STRIPED.has(word),
});
