import { describe, expect, test } from 'vitest';
import type { Json } from '../objects.ts';
import { textAt } from '../objects.ts';
import type { ApiLab } from './api-lab.ts';
import { versionOf } from './api-lab.ts';

export function describeWatches(lab: ApiLab): void {
  const { ask, make, secrets } = lab;

  describe('a watch', () => {
    /** Until the server ends it, or so many have been seen. */
    const seen = async (path: string, most = Number.POSITIVE_INFINITY) => {
      const events: [Json | undefined, string][] = [];
      for await (const { type, object } of lab.caller.watch(path)) {
        const name = textAt(object, 'metadata', 'name');
        // Servers add bookmarks as they like.
        if (type !== 'BOOKMARK') events.push([type, name]);
        if (events.length === most) break;
      }
      return events;
    };

    test('tells what happened since a version, and ends in time', async () => {
      const start = versionOf((await ask('GET', secrets)).body);
      await make(secrets, { metadata: { name: 'watched' } });
      await ask('PATCH', `${secrets}/watched`, { metadata: { labels: { a: 'b' } } });
      await ask('DELETE', `${secrets}/watched`);
      const path = `${secrets}?watch=1&resourceVersion=${start}&allowWatchBookmarks=true&timeoutSeconds=1`;
      expect(await seen(path)).toEqual([
        ['ADDED', 'watched'],
        ['MODIFIED', 'watched'],
        ['DELETED', 'watched'],
      ]);
    });

    test('of a selection tells when something enters and leaves it', async () => {
      const start = versionOf((await ask('GET', secrets)).body);
      await make(secrets, { metadata: { name: 'guest' } });
      await ask('PATCH', `${secrets}/guest`, { metadata: { labels: { inside: 'yes' } } });
      await ask('PATCH', `${secrets}/guest`, { metadata: { labels: { inside: 'no' } } });
      await make(secrets, { metadata: { name: 'other', labels: { inside: 'yes' } } });
      const path = `${secrets}?watch=1&resourceVersion=${start}&timeoutSeconds=10&labelSelector=inside%3Dyes`;
      expect(await seen(path, 3)).toEqual([
        ['ADDED', 'guest'],
        ['DELETED', 'guest'],
        ['ADDED', 'other'],
      ]);
    });
  });
}
