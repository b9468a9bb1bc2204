import { describe, expect, test } from 'vitest';
import { swarmLab } from '../../../../test/harness/pretend-docker/swarm-lab.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';

const { server, nodes, open } = swarmLab();
const NODE = '127.0.0.1' as Address;
const HOST = { address: NODE, hostname: 'web' };

/** What is asked of the Engine for something. */
async function requestsDuring(call: () => Promise<unknown>): Promise<string[]> {
  server.requests.length = 0;
  await call();
  return [...server.requests];
}

describe('a node', () => {
  test('that is registered is asked for alone, by whichever server', async () => {
    const { ID } = nodes().add(NODE, { name: 'web' });
    expect(await requestsDuring(() => open().report(NODE))).toEqual(['GET /nodes']);
    await open().register(HOST);
    expect(await requestsDuring(() => open().report(NODE))).toEqual([`GET /nodes/${ID}`]);
    const cordon = () => open().cordon(NODE, cordonOwner('one', 1));
    expect(await requestsDuring(cordon)).toEqual([`GET /nodes/${ID}`, `POST /nodes/${ID}/update`]);
  });

  test('that has joined anew is found again, and known from then on', async () => {
    const old = nodes().add(NODE, { name: 'web' });
    await open().register(HOST);
    old.Status = { ...old.Status, State: 'down' };
    const { ID } = nodes().add(NODE, { name: 'web' });
    expect(await open().report(NODE)).toMatchObject({ ready: true });
    await open().register(HOST);
    expect(await requestsDuring(() => open().report(NODE))).toEqual([`GET /nodes/${ID}`]);
  });

  test('that has another address now is not the one', async () => {
    const node = nodes().add(NODE, { name: 'web' });
    await open().register(HOST);
    node.Status = { ...node.Status, Addr: '127.0.0.2' };
    expect(await open().report(NODE)).toEqual({ state: 'unknown' });
    await expect(open().cordon(NODE, cordonOwner('one', 1))).rejects.toThrow(/not a node of the swarm/);
    expect(node.Spec.Availability).toBe('active');
  });

  test('that people have removed is unknown', async () => {
    nodes().add(NODE, { name: 'web' });
    await open().register(HOST);
    nodes().remove(nodes().at(NODE));
    expect(await open().report(NODE)).toEqual({ state: 'unknown' });
  });

  test('that was removed is not remembered', async () => {
    nodes().add(NODE, { name: 'web' });
    await open().register(HOST);
    await open().remove(NODE);
    expect(await requestsDuring(() => open().report(NODE))).toEqual(['GET /nodes']);
  });
});
