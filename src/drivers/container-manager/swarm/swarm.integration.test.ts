import { describe, expect, test } from 'vitest';
import { containerManagerConforms } from '../../../../test/conformance/container-manager.ts';
import { optionsConform } from '../../../../test/conformance/driver-options.ts';
import { swarmFixture } from '../../../../test/harness/fake-docker/swarm-fixtures.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';
import { swarm } from './swarm.ts';

const server_url = 'tcp://10.0.0.1:2376';

optionsConform(swarm, {
  good: [
    ['only a URL', { server_url }],
    ['https', { server_url: 'https://manager:2376/' }],
    ['IPv6', { server_url: 'tcp://[fd00::1]:2376' }],
    ['TLS files', { server_url, ca_path: '/ca', certificate_path: '/c', certificate_key_path: '/k' }],
  ],
  bad: [
    ['no URL', {}, ['/server_url']],
    ['a socket', { server_url: 'unix:///run/docker.sock' }, ['/server_url']],
    ['a URL without host', { server_url: 'tcp://:2376' }, ['/server_url']],
    ['a certificate without its key', { server_url, certificate_path: '/c' }, ['/certificate_key_path']],
    ['a token', { server_url, token: 'x' }, ['/token']],
  ],
});

const { server, swarm: nodes, open } = swarmFixture();
const NODE = '127.0.0.1' as Address;
const OWNER = cordonOwner('op', 1);

containerManagerConforms('swarm', {
  open: () => open(),
  join: async (_manager, node) => nodes().add(node),
  cordonByHand: async (_manager, node) => nodes().touch(nodes().nodeAt(node), { Availability: 'pause' }),
});

describe('swarm connection check', () => {
  test('returns the version', async () => {
    expect(await open().checkConnection()).toEqual({ version: '20.10.24', problems: [] });
  });

  test.each([
    ['inactive', /is not a swarm manager: .*docker swarm init/],
    ['locked', /is locked: run docker swarm unlock/],
  ])('gives advice for a swarm that is %s', async (state, problem) => {
    Object.assign(nodes(), { localNodeState: state, controlAvailable: false });
    expect((await open().checkConnection()).problems).toEqual([expect.stringMatching(problem)]);
  });

  test('reports TLS files that are unused with http', async () => {
    const options = { server_url: server.url, ca_path: import.meta.filename };
    expect((await open({ options }).checkConnection()).problems).toEqual([expect.stringMatching(/use https/)]);
  });

  test('throws when the managers have no leader', async () => {
    server.before = ({ path }) =>
      path === '/swarm' ? { status: 503, body: { message: 'The swarm does not have a leader.' } } : undefined;
    await expect(open().checkConnection()).rejects.toThrow(/the swarm has no leader/);
  });
});

describe('swarm with an unavailable manager', () => {
  const unreachable = { options: { server_url: 'http://127.0.0.1:1' } };

  test('reports a node as unavailable', async () => {
    const reason = 'http://127.0.0.1:1 does not respond: connection refused';
    expect(await open(unreachable).report(NODE)).toEqual({ state: 'unavailable', reason });
  });

  test.each([
    ['checkConnection', () => open(unreachable).checkConnection()],
    ['joinPlan', () => open(unreachable).joinPlan({ address: NODE, hostname: '' })],
    ['register', () => open(unreachable).register({ address: NODE, hostname: '' })],
    ['remove', () => open(unreachable).remove(NODE)],
    ['leavePlan', () => open(unreachable).leavePlan({ address: NODE, hostname: '' })],
    ['cordon', () => open(unreachable).cordon(NODE, OWNER)],
    ['uncordon', () => open(unreachable).uncordon(NODE, OWNER)],
    ['drain', () => open(unreachable).drain(NODE, { force: true })],
    ['checkDisruption', () => open(unreachable).checkDisruption(NODE)],
    ['controlPlane', () => open(unreachable).controlPlane()],
  ])('%s throws a readable error', async (_name, call) => {
    await expect(call()).rejects.toThrow(/127\.0\.0\.1:1 does not respond/);
  });
});

test('swarm changes nothing after the server has lost its lease', async () => {
  nodes().add(NODE);
  const expired = open({ mayProceed: () => false });
  await expect(expired.cordon(NODE, OWNER)).rejects.toThrow(/aborted/);
  await expect(expired.remove(NODE)).rejects.toThrow(/aborted/);
  expect(server.requests).toEqual([]);
});
