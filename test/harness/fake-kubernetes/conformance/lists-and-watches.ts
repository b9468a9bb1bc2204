import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../objects.ts';
import { at, fieldsAt, listAt, textAt } from '../objects.ts';
import type { ApiFixture } from './fixtures.ts';
import { getVersion } from './fixtures.ts';

export function describeLists(fixture: ApiFixture): void {
  const { request, create, runPod, run, node, pods, secrets } = fixture;

  describe('lists', () => {
    const names = ['a', 'b', 'c'].map(letter => `${run}-${letter}`);
    const getName = (item: Json) => textAt(item, 'metadata', 'name');
    const page = async (query: string) => {
      const { body } = await request('GET', `${secrets}?labelSelector=list%3D${run}&${query}`);
      return { body, names: listAt(body, 'items').map(getName) };
    };

    beforeAll(async () => {
      for (const name of names) await create(secrets, { metadata: { name, labels: { list: run } } });
    });

    test('have a version, and items without kinds', async () => {
      const { body } = await page('');
      expect([body['kind'], body['apiVersion']]).toEqual(['SecretList', 'v1']);
      expect(Number(getVersion(body))).toBeGreaterThan(0);
      expect(Object.keys(fieldsAt(listAt(body, 'items')[0]))).not.toContain('kind');
    });

    test('return pages of the same revision', async () => {
      const first = await page('limit=2');
      expect(first.names).toEqual(names.slice(0, 2));
      await create(secrets, { metadata: { name: `${run}-bb`, labels: { list: run } } });
      const token = encodeURIComponent(textAt(first.body, 'metadata', 'continue'));
      const second = await page(`limit=2&continue=${token}`);
      expect(second.names).toEqual(names.slice(2));
      expect(getVersion(second.body)).toBe(getVersion(first.body));
      expect(at(second.body, 'metadata', 'continue')).toBe(undefined);
      await request('DELETE', `${secrets}/${run}-bb`);
    });

    test.each([
      ['labelSelector', `list=${run}`, 3],
      ['labelSelector', `list!=${run},list`, 0],
      ['labelSelector', `list in (${run},other)`, 3],
      ['labelSelector', `list notin (${run}),list`, 0],
      ['labelSelector', '!list', 0],
      ['fieldSelector', `metadata.name=${run}-a`, 1],
      ['fieldSelector', `metadata.name!=${run}-a`, 2],
    ])('filter by %s %s', async (kind, selector, count) => {
      const { body } = await request('GET', `${secrets}?${kind}=${encodeURIComponent(selector)}`);
      expect(
        listAt(body, 'items')
          .map(getName)
          .filter(name => names.includes(name)),
      ).toHaveLength(count);
    });

    test('filter pods by node over all namespaces', async () => {
      await runPod('somewhere');
      const { body } = await request('GET', `/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`);
      expect(listAt(body, 'items').map(getName)).toEqual(['somewhere']);
      await request('DELETE', `${pods}/somewhere`, { gracePeriodSeconds: 0 });
    });
  });
}

export function describeWatches(fixture: ApiFixture): void {
  const { request, create, secrets } = fixture;

  describe('watches', () => {
    /** Reads until the server ends the stream, or `max` events have arrived. */
    const collectEvents = async (path: string, max = Number.POSITIVE_INFINITY) => {
      const events: [Json | undefined, string][] = [];
      for await (const { type, object } of fixture.client.watch(path)) {
        const name = textAt(object, 'metadata', 'name');
        // Servers may send bookmarks at any time.
        if (type !== 'BOOKMARK') events.push([type, name]);
        if (events.length === max) break;
      }
      return events;
    };

    test('send the events since a version and end after the timeout', async () => {
      const start = getVersion((await request('GET', secrets)).body);
      await create(secrets, { metadata: { name: 'watched' } });
      await request('PATCH', `${secrets}/watched`, { metadata: { labels: { a: 'b' } } });
      await request('DELETE', `${secrets}/watched`);
      const path = `${secrets}?watch=1&resourceVersion=${start}&allowWatchBookmarks=true&timeoutSeconds=1`;
      expect(await collectEvents(path)).toEqual([
        ['ADDED', 'watched'],
        ['MODIFIED', 'watched'],
        ['DELETED', 'watched'],
      ]);
    });

    test('send events when an object starts and stops matching the selector', async () => {
      const start = getVersion((await request('GET', secrets)).body);
      await create(secrets, { metadata: { name: 'guest' } });
      await request('PATCH', `${secrets}/guest`, { metadata: { labels: { inside: 'yes' } } });
      await request('PATCH', `${secrets}/guest`, { metadata: { labels: { inside: 'no' } } });
      await create(secrets, { metadata: { name: 'other', labels: { inside: 'yes' } } });
      const path = `${secrets}?watch=1&resourceVersion=${start}&timeoutSeconds=10&labelSelector=inside%3Dyes`;
      expect(await collectEvents(path, 3)).toEqual([
        ['ADDED', 'guest'],
        ['DELETED', 'guest'],
        ['ADDED', 'other'],
      ]);
    });
  });
}
