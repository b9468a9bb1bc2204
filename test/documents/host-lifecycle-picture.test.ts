import { expect, test } from 'vitest';
import { STATUS_TRANSITIONS } from '../../src/domain/hosts/host-status.ts';
import { HOST_STATUSES } from '../../src/domain/vocabulary.ts';
import { readDocument } from '../harness/documents/run-document.ts';

const picture = readDocument('docs/pictures/host-lifecycle.svg');

/** Start of an arrow from every status. */
const ANY = 'any';
/** Start of the arrow to the first status. */
const NEW = 'enrolled';

const transition = (from: string, to: string) => `${from} → ${to}`;

const drawn = [...picture.matchAll(/<path [^>]*marker-end=[^>]*>/g)].flatMap(([path]) => {
  const [, from = ''] = /data-from="(\w+)"/.exec(path) ?? [];
  const [, to = ''] = /data-to="(\w+)"/.exec(path) ?? [];
  const starts = from === ANY ? HOST_STATUSES.filter(status => status !== to) : [from];
  return starts.map(start => transition(start, to));
});

const possible = HOST_STATUSES.flatMap(from =>
  Object.values(STATUS_TRANSITIONS[from])
    .flatMap(to => (to === 'ready' ? (['active', 'disassociated'] as const) : [to]))
    .filter(to => to !== from)
    .map(to => transition(from, to)),
);

test('host-lifecycle.svg names exactly the host statuses', () => {
  const texts = [...picture.matchAll(/<text [^>]*font-weight="600">([^<]+)</g)].map(([, text]) => text);
  expect(texts.sort()).toEqual([...HOST_STATUSES].sort());
});

test('host-lifecycle.svg has an arrow for exactly the status transitions', () => {
  expect(new Set(drawn)).toEqual(new Set([...possible, transition(NEW, 'investigating')]));
});
