import { describe, expect, test } from 'vitest';
import { swarmFixture } from '../../../../test/harness/fake-docker/swarm-fixtures.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';

const { server, swarm, open } = swarmFixture();
const NODE = '127.0.0.1' as Address;
const HOST = { address: NODE, hostname: 'web' };

/** Requests to the Docker API during `call`. */
async function requestsDuring(call: () => Promise<unknown>): Promise<string[]> {
  server.requests.length = 0;
  await call();
  return [...server.requests];
}

describe('swarm node', () => {
  test('needs one request after it is registered, also on another server', async () => {
    const { ID } = swarm().add(NODE, { name: 'web' });
    expect(await requestsDuring(() => open().report(NODE))).toEqual(['GET /nodes']);
    await open().register(HOST);
    expect(await requestsDuring(() => open().report(NODE))).toEqual([`GET /nodes/${ID}`]);
    const cordon = () => open().cordon(NODE, cordonOwner('op', 1));
    expect(await requestsDuring(cordon)).toEqual([`GET /nodes/${ID}`, `POST /nodes/${ID}/update`]);
  });

  test('is found again after the host has joined again, and cached', async () => {
    const old = swarm().add(NODE, { name: 'web' });
    await open().register(HOST);
    old.Status = { ...old.Status, State: 'down' };
    const { ID } = swarm().add(NODE, { name: 'web' });
    expect(await open().report(NODE)).toMatchObject({ ready: true });
    await open().register(HOST);
    expect(await requestsDuring(() => open().report(NODE))).toEqual([`GET /nodes/${ID}`]);
  });

  test('is unknown after its address changed', async () => {
    const node = swarm().add(NODE, { name: 'web' });
    await open().register(HOST);
    node.Status = { ...node.Status, Addr: '127.0.0.2' };
    expect(await open().report(NODE)).toEqual({ state: 'unknown' });
    await expect(open().cordon(NODE, cordonOwner('op', 1))).rejects.toThrow(/not a node of the swarm/);
    expect(node.Spec.Availability).toBe('active');
  });

  test('is unknown after others have removed it', async () => {
    swarm().add(NODE, { name: 'web' });
    await open().register(HOST);
    swarm().remove(swarm().nodeAt(NODE));
    expect(await open().report(NODE)).toEqual({ state: 'unknown' });
  });

  test('is not cached after its removal', async () => {
    swarm().add(NODE, { name: 'web' });
    await open().register(HOST);
    await open().remove(NODE);
    expect(await requestsDuring(() => open().report(NODE))).toEqual(['GET /nodes']);
  });
});
