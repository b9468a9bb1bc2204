import { eventResource } from '#vocabulary';
import { EVENT_CATEGORIES } from '../../events/event-categories.ts';

const categoryPattern = (category: string) => `${category}.*`;

export const isSelected = (selected: readonly string[], pattern: string): boolean =>
  selected.includes('*') || selected.includes(pattern) || selected.includes(categoryPattern(eventResource(pattern)));

/** In the order of EVENT_CATEGORIES, without types whose category is selected. */
function sortSelection(selected: ReadonlySet<string>): readonly string[] {
  return EVENT_CATEGORIES.flatMap(({ name, types }) =>
    selected.has(categoryPattern(name)) ? [categoryPattern(name)] : types.filter(type => selected.has(type)),
  );
}

/** Replaces `*` by all categories. */
function expandSelection(selected: readonly string[]): Set<string> {
  return new Set(selected.includes('*') ? EVENT_CATEGORIES.map(({ name }) => categoryPattern(name)) : selected);
}

/** `pattern`: an event type or a category such as `host.*`. */
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
