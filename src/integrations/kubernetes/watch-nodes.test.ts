import { expect, test } from 'vitest';
import { kubeLab } from '../../../test/harness/pretend-kubernetes/kube-lab.ts';
import { until } from '../../../test/harness/until.ts';
import { toKubeNode } from './nodes.ts';
import { watchNodes } from './watch-nodes.ts';

const lab = kubeLab();

/** A watch, how often it has called back, and what it ends with. */
function startWatch() {
  const stop = new AbortController();
  let changes = 0;
  let isOver = false;
  const ends = lab()
    .api()
    .watchNodes(() => {
      changes += 1;
    }, stop.signal)
    .finally(() => {
      isOver = true;
    });
  const watches = () => lab().server.requests.filter(({ query }) => query['watch'] === '1');
  return {
    stop: () => stop.abort(),
    ends,
    isOver: () => isOver,
    watches,
    hasChanged: (count: number) => until(`${count} times news`, () => changes === count),
    isOn: (count = 1) =>
      until('the watch to be on', () => watches().filter(({ status }) => status === 200).length === count),
  };
}

test('a watch of nodes tells of what comes, changes and goes, and ends with its signal', async () => {
  lab().server.kubelet('node-1', { address: '127.0.0.1' });
  const watch = startWatch();
  await watch.hasChanged(1);
  await watch.isOn();
  lab().server.kubelet('node-2', { address: '127.0.0.2' });
  await watch.hasChanged(2);
  lab().server.notReady('node-1');
  await watch.hasChanged(3);
  lab().server.remove('nodes', 'node-2');
  await watch.hasChanged(4);
  watch.stop();
  expect(await watch.ends).toBe('ended');
});

test('a watch of more nodes than there can be is given up', async () => {
  const metadata = { uid: 'u', resourceVersion: '2' };
  const items = Array.from({ length: 100_001 }, (_, index) =>
    toKubeNode({ metadata: { ...metadata, name: `n${index}` } }),
  );
  const server = { streamLines: () => expect.fail('it is asked'), toError: () => expect.fail('it refuses') };
  const list = async () => ({ items, resourceVersion: '1' });
  const watch = watchNodes(server, { list }, () => {}, new AbortController().signal);
  await expect(watch).rejects.toThrow(/too many nodes/);
});

test('a watch of nodes does not tell of mere signs of life', async () => {
  lab().server.kubelet('node-1', { address: '127.0.0.1' });
  const watch = startWatch();
  await watch.isOn();
  lab().server.ready('node-1');
  lab().server.bookmark();
  lab().server.kubelet('node-2', { address: '127.0.0.2' });
  await watch.hasChanged(2);
  watch.stop();
  await watch.ends;
});

test.each(['event', 'http'] as const)(
  'a watch of nodes that the server has forgotten has expired, told by: %s',
  async how => {
    lab().server.settings.expiredWatch = how;
    lab().server.kubelet('node-1', { address: '127.0.0.1' });
    lab().server.before(
      ({ query }) => query['watch'] === '1',
      () => {
        lab().server.kubelet('node-2', { address: '127.0.0.2' });
        lab().server.kubelet('node-3', { address: '127.0.0.3' });
        lab().server.compact();
      },
    );
    expect(await startWatch().ends).toBe('expired');
  },
);

test('a watch of nodes goes on where it was when the server ends it', async () => {
  lab().server.kubelet('node-1', { address: '127.0.0.1' });
  const first = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '' } } };
  lab().server.before(
    ({ query }) => query['watch'] === '1',
    ({ query }) => {
      first.object.metadata.resourceVersion = String(Number(query['resourceVersion']) + 1);
      lab().server.kubelet('node-2', { address: '127.0.0.2' });
    },
  );
  lab().server.fault({
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

test('a watch of nodes that the server ends without a word is not begun again and again', async () => {
  lab().server.fault({ match: ({ query }) => query['watch'] === '1', do: { status: 200, body: '' } });
  const watch = startWatch();
  expect(await watch.ends).toBe('ended');
  expect(watch.watches()).toHaveLength(1);
});

test('a watch of nodes that the server ends again and again is begun ever later', async () => {
  let version = 1_000_000;
  const isWatch = ({ query }: { query: Readonly<Record<string, string>> }) => query['watch'] === '1';
  const event = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '' } } };
  const count = () => {
    version += 1;
    event.object.metadata.resourceVersion = String(version);
  };
  lab().server.before(isWatch, count, Number.POSITIVE_INFINITY);
  lab().server.fault({ match: isWatch, do: { status: 200, body: event } });
  const startedAt = performance.now();
  const watch = startWatch();
  await until('it has been begun three times', () => watch.watches().length >= 3);
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
  ['reset', /does not respond/],
] as const)('a watch of nodes says why it cannot go on: %j', async (fault, why) => {
  lab().server.fault({ match: ({ query }) => query['watch'] === '1', do: fault });
  await expect(startWatch().ends).rejects.toThrow(why);
});
