import type { Interface } from './interface.ts';

type Lines = readonly string[];

const missingFrom = (now: Lines, before: Lines): Lines => {
  const there = new Set(now);
  return before.filter(line => !there.has(line));
};

/** What was there, and is not. */
export const takenAway = (before: Interface, now: Interface): Lines =>
  Object.entries(before.there).flatMap(([kind, lines]) => missingFrom(now.there[kind] ?? [], lines));

/** The call of a field or parameter, the command of an option or argument. */
const owner = (line: string) => line.replace(/ (?:[<?] .*|<\d+>|--?[\w-]+)$/, '');

/** What callers have to give now, though they got along without it. */
function demanded(before: Interface, now: Interface): Lines {
  const known = new Set(Object.values(before.there).flat());
  return missingFrom(before.needed, now.needed).filter(line => known.has(owner(line)));
}

/** Fields that were in every answer, and are not any more. */
function unsettled(before: Interface, now: Interface): Lines {
  const known = new Set(before.there['requests']?.map(line => line.replace(/: [^:]*$/, '')));
  return missingFrom(before.optional, now.optional).filter(line => known.has(line));
}

const otherWords = (before: Interface, now: Interface): Lines =>
  Object.entries(before.closed).flatMap(([name, words]) =>
    [...words].sort().join() === [...(now.closed[name] ?? [])].sort().join() ? [] : [name],
  );

const movedSunsets = (before: Interface, now: Interface): Lines =>
  Object.entries(before.deprecations).flatMap(([thing, { since, sunset }]) => {
    const present = now.deprecations[thing];
    const isEarlier = present?.sunset !== undefined && sunset !== undefined && present.sunset < sunset;
    return isEarlier || (present !== undefined && present.since < since) ? [thing] : [];
  });

/** What a later version breaks, other than that it takes something away. */
export const breaksOf = (before: Interface, now: Interface): Lines => [
  ...demanded(before, now).map(line => `is needed now: ${line}`),
  ...unsettled(before, now).map(line => `may be missing now: ${line}`),
  ...otherWords(before, now).map(name => `other words: ${name}`),
  ...movedSunsets(before, now).map(thing => `ends earlier than was said: ${thing}`),
];
