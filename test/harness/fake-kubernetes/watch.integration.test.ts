import { describe, expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { NODES, serverFixture } from './kubernetes-fixtures.ts';
import type { Fields } from './objects.ts';
import { fieldsAt, listAt, textAt } from './objects.ts';

const { server, admin } = serverFixture();

const collectEvents = async (path: string) => {
  const events: Fields[] = [];
  for await (const event of admin().watch(path)) events.push(event);
  return events;
};

describe('expired revisions of the fake Kubernetes API', () => {
  const expireResourceVersion = async () => {
    const { body } = await admin().request('GET', `${NODES}?limit=1`);
    server().kubelet('n9', { address: '127.0.0.9' });
    server().compact();
    return fieldsAt(body, 'metadata');
  };

  test('an expired list returns 410 with a new continue token', async () => {
    for (const name of ['n1', 'n2', 'n3']) server().kubelet(name, { address: '127.0.0.9' });
    const { continue: token = '' } = await expireResourceVersion();
    const expired = await admin().request('GET', `${NODES}?limit=1&continue=${token}`);
    expect(expired.body).toMatchObject({ code: 410, reason: 'Expired', status: 'Failure' });
    const continueToken = textAt(expired.body, 'metadata', 'continue');
    const rest = await admin().request('GET', `${NODES}?continue=${continueToken}`);
    expect(listAt(rest.body, 'items').map(item => textAt(item, 'metadata', 'name'))).toEqual(['n2', 'n3', 'n9']);
  });

  test('an expired watch sends an error event, or returns 410 on older servers', async () => {
    const { resourceVersion } = await expireResourceVersion();
    const path = `${NODES}?watch=1&resourceVersion=${resourceVersion}`;
    const [error, ...more] = await collectEvents(path);
    expect(more).toEqual([]);
    expect(error).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
    expect(textAt(error, 'object', 'message')).toMatch(/^too old resource version: \d+ \(\d+\)$/);
    server().settings.expiredWatch = 'http';
    expect((await admin().request('GET', path)).code).toBe(410);
    server().settings.expiredWatch = 'event';
  });
});

describe('watches of the fake Kubernetes API', () => {
  test('send the current objects, changes and bookmarks, and break with their connection', async () => {
    server().kubelet('n1', { address: '127.0.0.9' });
    const seen: Fields[] = [];
    const watching = (async () => {
      for await (const event of admin().watch(`${NODES}?watch=true&allowWatchBookmarks=true`)) seen.push(event);
    })();
    await waitUntil('the first event', () => seen.length === 1);
    server().notReady('n1', 'False');
    server().bookmark();
    await waitUntil('the bookmark is received', () => seen.length === 3);
    expect(seen.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'BOOKMARK']);
    expect(Object.keys(fieldsAt(seen[2], 'object', 'metadata'))).toContain('resourceVersion');
    server().dropConnections();
    await expect(watching).rejects.toThrow();
  });
});
