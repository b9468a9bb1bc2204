import { describe, expect, test } from 'vitest';
import { swarmLab } from '../../../../test/harness/pretend-docker/swarm-lab.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonMark } from '../../../domain/rolling/cordon-mark.ts';

const { server, nodes, open } = swarmLab();
const NODE = '127.0.0.1' as Address;
const [MARK, LATER] = [cordonMark('one', 1), cordonMark('one', 2)];
const HOST = { address: NODE, hostname: 'web' };
const names = () => nodes().nodes.map(({ Description, Status }) => `${Description.Hostname} ${Status.State}`);

describe('a swarm', () => {
  test('has a ghost removed when its host has joined anew', async () => {
    nodes().add(NODE, { name: 'web', state: 'down' });
    nodes().add('127.0.0.2', { name: 'web', state: 'down' });
    nodes().add(NODE, { name: 'web' });
    expect(await open().register(HOST)).toBeUndefined();
    expect(names()).toEqual(['manager ready', 'web down', 'web ready']);
    expect(nodes().nodes[1]?.Status.Addr).toBe('127.0.0.2');
  });

  test('has a node removed together with its ghosts', async () => {
    nodes().add(NODE, { name: 'web', state: 'down' });
    nodes().add(NODE, { name: 'web' });
    await open().remove(NODE);
    expect(names()).toEqual(['manager ready']);
  });

  test('keeps its managers', async () => {
    const manager = '127.0.0.9' as Address;
    await open().cordon(manager, cordonMark('one', 1));
    await open().remove(manager);
    expect(names()).toEqual(['manager ready']);
    expect(await open().report(manager)).toMatchObject({ schedulable: true });
    expect(server.requests.join()).not.toContain('DELETE');
  });

  test('says where a host is seen instead', async () => {
    nodes().add('127.0.0.7', { name: 'web' });
    expect(await open().register(HOST)).toBe(
      'no swarm node has the address 127.0.0.1; the node with this host name has the address 127.0.0.7',
    );
    expect(await open().register({ ...HOST, hostname: '' })).toBe('no swarm node has the address 127.0.0.1');
  });

  test.each(['unknown', 'down', 'disconnected'])(
    'registers a node that is %s, which is not ready',
    async state => {
      nodes().add(NODE, { state });
      expect(await open().register(HOST)).toBeUndefined();
      expect(await open().report(NODE)).toMatchObject({ state: 'registered', ready: false });
    },
  );

  test('names its managers in order, each once', async () => {
    nodes().add('127.0.0.10', { reachability: 'reachable' });
    nodes().add('127.0.0.8', { reachability: 'unreachable', seenAt: '0.0.0.0' });
    nodes().add('127.0.0.8', { reachability: 'reachable' });
    nodes().add(NODE);
    expect(await open().controlPlane()).toEqual(['127.0.0.8', '127.0.0.9', '127.0.0.10']);
  });
});

describe('a cordon', () => {
  test('is a pause with a label, and keeps the other labels', async () => {
    const node = nodes().add(NODE, { labels: { theirs: 'kept' } });
    await open().cordon(NODE, MARK);
    expect(node.Spec).toEqual({
      Role: 'worker',
      Availability: 'pause',
      Labels: { theirs: 'kept', 'hostler.cordoned-by': MARK },
    });
    await open().uncordon(NODE, MARK);
    expect(node.Spec).toEqual({ Role: 'worker', Availability: 'active', Labels: { theirs: 'kept' } });
  });

  test('that is taken over stays a drain', async () => {
    const node = nodes().add(NODE);
    await open().cordon(NODE, MARK);
    await open().drain(NODE, { force: false });
    await open().cordon(NODE, LATER);
    expect(node.Spec).toMatchObject({ Availability: 'drain', Labels: { 'hostler.cordoned-by': LATER } });
  });

  test('is written once', async () => {
    nodes().add(NODE);
    await open().cordon(NODE, MARK);
    await open().cordon(NODE, MARK);
    expect(server.requests.filter(line => line.startsWith('POST'))).toHaveLength(1);
  });

  test.each<[what: string, call: () => Promise<unknown>, answer: unknown]>([
    ['uncordoned', () => open().uncordon(NODE, MARK), 'uncordoned'],
    ['uncordoned by another mark', () => open().uncordon(NODE, LATER), 'uncordoned'],
    ['registered', () => open().register(HOST), undefined],
    ['drained', () => open().drain(NODE, { force: false }), expect.objectContaining({ state: 'refused' })],
  ])('leaves nothing on a node that people have made active and that is %s', async (_what, call, answer) => {
    const node = nodes().add(NODE, { labels: { theirs: 'kept' } });
    await open().cordon(NODE, MARK);
    nodes().touch(node, { Availability: 'active' });
    expect(await call()).toEqual(answer);
    expect(node.Spec).toMatchObject({ Availability: 'active', Labels: { theirs: 'kept' } });
    expect(node.Spec.Labels).not.toHaveProperty('hostler.cordoned-by');
  });
});

/** Something happens at the swarm right before the first change arrives. */
function meanwhile(happens: () => void): void {
  let isOver = false;
  server.before = ({ method }) => {
    if (method !== 'POST' || isOver) return undefined;
    isOver = true;
    happens();
    return undefined;
  };
}

describe('when a node changes at the same moment', () => {
  const node = () => nodes().at(NODE);

  test('it is cordoned all the same, if only its state has changed', async () => {
    nodes().add(NODE);
    meanwhile(() => nodes().touch(node()));
    expect(await open().cordon(NODE, MARK)).toBe('cordoned');
    expect(node().Spec.Availability).toBe('pause');
  });

  test('it stays as people have just made it', async () => {
    nodes().add(NODE);
    meanwhile(() => nodes().touch(node(), { Availability: 'pause' }));
    expect(await open().cordon(NODE, MARK)).toBe('foreign');
    expect(node().Spec).toMatchObject({ Availability: 'pause', Labels: {} });
  });

  test('it stays cordoned for who has just taken it over', async () => {
    nodes().add(NODE);
    await open().cordon(NODE, MARK);
    meanwhile(() => nodes().touch(node(), { Labels: { 'hostler.cordoned-by': LATER } }));
    expect(await open().uncordon(NODE, MARK)).toBe('not_ours');
    expect(await open().report(NODE)).toMatchObject({ schedulable: false, cordonedBy: LATER });
  });

  test('it is not drained once people have made it active', async () => {
    nodes().add(NODE);
    await open().cordon(NODE, MARK);
    meanwhile(() => nodes().touch(node(), { Availability: 'active', Labels: {} }));
    expect(await open().drain(NODE, { force: true })).toMatchObject({ state: 'refused' });
    expect(node().Spec.Availability).toBe('active');
  });

  test('it is told when it is gone', async () => {
    nodes().add(NODE);
    meanwhile(() => nodes().remove(node()));
    await expect(open().cordon(NODE, MARK)).rejects.toThrow(/127\.0\.0\.1 is not a node of the swarm/);
  });

  test('it is given up when that does not end', async () => {
    nodes().add(NODE);
    server.before = ({ method }) => {
      if (method === 'POST') nodes().touch(node());
      return undefined;
    };
    await expect(open().cordon(NODE, MARK)).rejects.toThrow(/other clients keep changing it/);
    expect(server.requests.length).toBeLessThan(50);
  });
});
