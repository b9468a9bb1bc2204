import { expect, test } from 'vitest';
import { kubernetesFixture } from '../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import { toKubeNode } from './nodes.ts';
import { watchNodes } from './watch-nodes.ts';

const fixture = kubernetesFixture();

function startWatch() {
  const stop = new AbortController();
  let changes = 0;
  let isOver = false;
  const ends = fixture()
    .createClient()
    .watchNodes(() => {
      changes += 1;
    }, stop.signal)
    .finally(() => {
      isOver = true;
    });
  const watches = () => fixture().server.requests.filter(({ query }) => query['watch'] === '1');
  return {
    stop: () => stop.abort(),
    ends,
    isOver: () => isOver,
    watches,
    hasChanged: (count: number) => waitUntil(`${count} changes`, () => changes === count),
    isOn: (count = 1) =>
      waitUntil('the watch to start', () => watches().filter(({ status }) => status === 200).length === count),
  };
}

test('watchNodes reports added, changed and removed nodes, and ends with its signal', async () => {
  fixture().server.kubelet('node-1', { address: '127.0.0.1' });
  const watch = startWatch();
  await watch.hasChanged(1);
  await watch.isOn();
  fixture().server.kubelet('node-2', { address: '127.0.0.2' });
  await watch.hasChanged(2);
  fixture().server.notReady('node-1');
  await watch.hasChanged(3);
  fixture().server.remove('nodes', 'node-2');
  await watch.hasChanged(4);
  watch.stop();
  expect(await watch.ends).toBe('ended');
});

test('watchNodes fails if there are too many nodes', async () => {
  const metadata = { uid: 'u', resourceVersion: '2' };
  const items = Array.from({ length: 100_001 }, (_, index) =>
    toKubeNode({ metadata: { ...metadata, name: `n${index}` } }),
  );
  const server = {
    streamLines: () => expect.fail('unexpected request'),
    toError: () => expect.fail('unexpected error'),
  };
  const list = async () => ({ items, resourceVersion: '1' });
  const watch = watchNodes(server, { list }, () => {}, new AbortController().signal);
  await expect(watch).rejects.toThrow(/too many nodes/);
});

test('watchNodes does not report heartbeats', async () => {
  fixture().server.kubelet('node-1', { address: '127.0.0.1' });
  const watch = startWatch();
  await watch.isOn();
  fixture().server.ready('node-1');
  fixture().server.bookmark();
  fixture().server.kubelet('node-2', { address: '127.0.0.2' });
  await watch.hasChanged(2);
  watch.stop();
  await watch.ends;
});

test.each(['event', 'http'] as const)(
  'watchNodes returns expired when the resource version expired, reported by: %s',
  async how => {
    fixture().server.settings.expiredWatch = how;
    fixture().server.kubelet('node-1', { address: '127.0.0.1' });
    fixture().server.before(
      ({ query }) => query['watch'] === '1',
      () => {
        fixture().server.kubelet('node-2', { address: '127.0.0.2' });
        fixture().server.kubelet('node-3', { address: '127.0.0.3' });
        fixture().server.compact();
      },
    );
    expect(await startWatch().ends).toBe('expired');
  },
);

test('watchNodes resumes at the last resource version after the server ends the watch', async () => {
  fixture().server.kubelet('node-1', { address: '127.0.0.1' });
  const first = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '' } } };
  fixture().server.before(
    ({ query }) => query['watch'] === '1',
    ({ query }) => {
      first.object.metadata.resourceVersion = String(Number(query['resourceVersion']) + 1);
      fixture().server.kubelet('node-2', { address: '127.0.0.2' });
    },
  );
  fixture().server.addFault({
    match: ({ query }) => query['watch'] === '1',
    times: 1,
    do: { status: 200, body: first },
  });
  const watch = startWatch();
  await watch.isOn(2);
  expect(watch.watches()[1]?.query['resourceVersion']).toBe(first.object.metadata.resourceVersion);
  watch.stop();
  expect(await watch.ends).toBe('ended');
});

test('watchNodes does not restart a watch that ended without an event', async () => {
  fixture().server.addFault({ match: ({ query }) => query['watch'] === '1', do: { status: 200, body: '' } });
  const watch = startWatch();
  expect(await watch.ends).toBe('ended');
  expect(watch.watches()).toHaveLength(1);
});

test('watchNodes restarts with backoff when the server keeps ending the watch', async () => {
  let version = 1_000_000;
  const isWatch = ({ query }: { query: Readonly<Record<string, string>> }) => query['watch'] === '1';
  const event = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '' } } };
  const count = () => {
    version += 1;
    event.object.metadata.resourceVersion = String(version);
  };
  fixture().server.before(isWatch, count, Number.POSITIVE_INFINITY);
  fixture().server.addFault({ match: isWatch, do: { status: 200, body: event } });
  const startedAt = performance.now();
  const watch = startWatch();
  await waitUntil('three watches', () => watch.watches().length >= 3);
  expect(performance.now() - startedAt).toBeGreaterThan(900);
  watch.stop();
  expect(await watch.ends).toBe('ended');
});

test.each([
  [{ status: 403, body: { message: 'no' } }, /denied permission to watch nodes \(403\): no/],
  [
    { status: 200, body: { type: 'ERROR', object: { code: 500, message: 'broken' } } },
    /failed to watch nodes \(500\): broken/,
  ],
  [{ status: 200, body: { type: 'ADDED', object: { metadata: {} } } }, /cannot parse/],
  ['cut_response', /does not respond/],
] as const)('watchNodes throws when the watch fails: %j', async (fault, why) => {
  fixture().server.addFault({ match: ({ query }) => query['watch'] === '1', do: fault });
  await expect(startWatch().ends).rejects.toThrow(why);
});
