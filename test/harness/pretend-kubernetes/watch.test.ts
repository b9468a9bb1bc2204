import { describe, expect, test } from 'vitest';
import { until } from '../until.ts';
import type { Fields } from './objects.ts';
import { fieldsAt, listAt, textAt } from './objects.ts';
import { NODES, serverLab } from './server-lab.ts';

const { server, admin } = serverLab();

const eventsOf = async (path: string) => {
  const events: Fields[] = [];
  for await (const event of admin().watch(path)) events.push(event);
  return events;
};

describe('what has expired', () => {
  const old = async () => {
    const { body } = await admin().ask('GET', `${NODES}?limit=1`);
    server().kubelet('n9', { address: '127.0.0.9' });
    server().compact();
    return fieldsAt(body, 'metadata');
  };

  test('is a page of a list, which can be gone on with', async () => {
    for (const name of ['n1', 'n2', 'n3']) server().kubelet(name, { address: '127.0.0.9' });
    const { continue: token = '' } = await old();
    const expired = await admin().ask('GET', `${NODES}?limit=1&continue=${token}`);
    expect(expired.body).toMatchObject({ code: 410, reason: 'Expired', status: 'Failure' });
    const onward = textAt(expired.body, 'metadata', 'continue');
    const rest = await admin().ask('GET', `${NODES}?continue=${onward}`);
    expect(listAt(rest.body, 'items').map(item => textAt(item, 'metadata', 'name'))).toEqual([
      'n2',
      'n3',
      'n9',
    ]);
  });

  test('is a watch: it is told in the stream, or by older servers at once', async () => {
    const { resourceVersion } = await old();
    const path = `${NODES}?watch=1&resourceVersion=${resourceVersion}`;
    const [error, ...more] = await eventsOf(path);
    expect(more).toEqual([]);
    expect(error).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
    expect(textAt(error, 'object', 'message')).toMatch(/^too old resource version: \d+ \(\d+\)$/);
    server().settings.expiredWatch = 'http';
    expect((await admin().ask('GET', path)).code).toBe(410);
    server().settings.expiredWatch = 'event';
  });
});

describe('a watch', () => {
  test('begins with all there is, goes on, has bookmarks, and breaks when connections do', async () => {
    server().kubelet('n1', { address: '127.0.0.9' });
    const seen: Fields[] = [];
    const watching = (async () => {
      for await (const event of admin().watch(`${NODES}?watch=true&allowWatchBookmarks=true`))
        seen.push(event);
    })();
    await until('the first event', () => seen.length === 1);
    server().notReady('n1', 'False');
    server().bookmark();
    await until('the bookmark', () => seen.length === 3);
    expect(seen.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'BOOKMARK']);
    expect(Object.keys(fieldsAt(seen[2], 'object', 'metadata'))).toContain('resourceVersion');
    server().dropConnections();
    await expect(watching).rejects.toThrow();
  });
});
