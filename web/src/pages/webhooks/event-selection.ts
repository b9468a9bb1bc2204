import { eventResource } from '#vocabulary';
import { EVENT_CATEGORIES } from '../../events/event-categories.ts';

const categoryPattern = (category: string) => `${category}.*`;

export const isSelected = (selected: readonly string[], pattern: string): boolean =>
  selected.includes('*') ||
  selected.includes(pattern) ||
  selected.includes(categoryPattern(eventResource(pattern)));

/** In the order of the vocabulary, and none that another has in it. */
function sortSelection(selected: ReadonlySet<string>): readonly string[] {
  return EVENT_CATEGORIES.flatMap(({ name, types }) =>
    selected.has(categoryPattern(name)) ? [categoryPattern(name)] : types.filter(type => selected.has(type)),
  );
}

/** Each type by itself, or its noun where all of it is picked. */
function expandSelection(selected: readonly string[]): Set<string> {
  return new Set(
    selected.includes('*') ? EVENT_CATEGORIES.map(({ name }) => categoryPattern(name)) : selected,
  );
}

/** What is picked after a press on a type or on a noun (`host.*`). */
export function toggleEvent(selected: readonly string[], pattern: string): readonly string[] {
  const next = expandSelection(selected);
  const category = eventResource(pattern);
  const { types = [] } = EVENT_CATEGORIES.find(candidate => candidate.name === category) ?? {};
  if (next.has(pattern)) next.delete(pattern);
  else if (next.has(categoryPattern(category))) {
    next.delete(categoryPattern(category));
    for (const type of types) if (type !== pattern) next.add(type);
  } else next.add(pattern);
  return sortSelection(next);
}
