import { numberText } from './counted.ts';

/** The first of many names, and how many more there are. */
export function someOf(names: readonly string[], atMost: number): string {
  const more = names.length - atMost;
  return `${names.slice(0, atMost).join(', ')}${more > 0 ? ` and ${numberText(more)} more` : ''}`;
}
