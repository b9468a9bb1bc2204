import { inspect } from 'node:util';
import type { History } from './history.ts';

const shown = (value: unknown) => inspect(value, { depth: 6, breakLength: 140 });

/** For people who have to find out why it went wrong. */
export function describeHistory({ seed, setup, events }: History): string {
  const { asked, ...rest } = setup;
  return [
    `history ${seed}`,
    ...Object.entries(rest).map(([name, value]) => `  ${name}: ${shown(value)}`),
    `  asked: ${shown(asked)}`,
    ...events.map(({ atMs, deed: { do: name, ...more } }) => `  ${atMs} ms: ${name} ${shown(more)}`),
  ].join('\n');
}
