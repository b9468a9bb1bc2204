import { eventResource } from '#vocabulary';
import { NOUNS } from '../../event-words/event-nouns.ts';

const all = (noun: string) => `${noun}.*`;

export const isPicked = (picked: readonly string[], pattern: string): boolean =>
  picked.includes('*') || picked.includes(pattern) || picked.includes(all(eventResource(pattern)));

/** In the order of the vocabulary, and none that another has in it. */
function ordered(picked: ReadonlySet<string>): readonly string[] {
  return NOUNS.flatMap(({ noun, types }) =>
    picked.has(all(noun)) ? [all(noun)] : types.filter(type => picked.has(type)),
  );
}

/** Each type by itself, or its noun where all of it is picked. */
function spread(picked: readonly string[]): Set<string> {
  return new Set(picked.includes('*') ? NOUNS.map(({ noun }) => all(noun)) : picked);
}

/** What is picked after a press on a type or on a noun (`host.*`). */
export function toggled(picked: readonly string[], pattern: string): readonly string[] {
  const next = spread(picked);
  const noun = eventResource(pattern);
  const { types = [] } = NOUNS.find(each => each.noun === noun) ?? {};
  if (next.has(pattern)) next.delete(pattern);
  else if (next.has(all(noun))) {
    next.delete(all(noun));
    for (const type of types) if (type !== pattern) next.add(type);
  } else next.add(pattern);
  return ordered(next);
}
