import { inspect } from 'node:util';
import type { History } from './history.ts';

const format = (value: unknown) => inspect(value, { depth: 6, breakLength: 140 });

export function formatHistory({ seed, setup, events }: History): string {
  const { request, ...rest } = setup;
  return [
    `history ${seed}`,
    ...Object.entries(rest).map(([name, value]) => `  ${name}: ${format(value)}`),
    `  request: ${format(request)}`,
    ...events.map(({ atMs, action: { type, ...more } }) => `  ${atMs} ms: ${type} ${format(more)}`),
  ].join('\n');
}
