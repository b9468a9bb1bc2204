import { describe, expect, test } from 'vitest';
import { swarmLab } from '../../../../test/harness/pretend-docker/swarm-lab.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';
import { optionsConform } from '../../options-conformance.ts';
import { containerManagerConforms } from '../conformance.ts';
import { swarm } from './swarm.ts';

const server_url = 'tcp://10.0.0.1:2376';

optionsConform(swarm, {
  good: [
    ['the URL alone', { server_url }],
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

const { server, nodes, open } = swarmLab();
const NODE = '127.0.0.1' as Address;
const OWNER = cordonOwner('one', 1);

containerManagerConforms('swarm', {
  open: () => open(),
  join: async (_manager, node) => nodes().add(node),
  cordonByHand: async (_manager, node) => nodes().touch(nodes().at(node), { Availability: 'pause' }),
});

describe('a check of a swarm', () => {
  test('tells the version', async () => {
    expect(await open().checkConnection()).toEqual({ version: '20.10.24', problems: [] });
  });

  test.each([
    ['inactive', /is not a swarm manager: .*docker swarm init/],
    ['locked', /is locked: run docker swarm unlock/],
  ])('says what to do about one that is %s', async (state, problem) => {
    Object.assign(nodes(), { localNodeState: state, controlAvailable: false });
    expect((await open().checkConnection()).problems).toEqual([expect.stringMatching(problem)]);
  });

  test('says that files for TLS are of no use without it', async () => {
    const options = { server_url: server.url, ca_path: import.meta.filename };
    expect((await open({ options }).checkConnection()).problems).toEqual([
      expect.stringMatching(/use https/),
    ]);
  });

  test('throws when the managers have no leader', async () => {
    server.before = ({ path }) =>
      path === '/swarm' ? { status: 503, body: { message: 'The swarm does not have a leader.' } } : undefined;
    await expect(open().checkConnection()).rejects.toThrow(/the swarm has no leader/);
  });
});

describe('a manager that is away', () => {
  const unreachable = { options: { server_url: 'http://127.0.0.1:1' } };

  test('makes the report of a node say so', async () => {
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
  ])('makes %s throw for people', async (_name, call) => {
    await expect(call()).rejects.toThrow(/127\.0\.0\.1:1 does not respond/);
  });
});

test('a server that has lost its lease changes nothing', async () => {
  nodes().add(NODE);
  const late = open({ mayProceed: () => false });
  await expect(late.cordon(NODE, OWNER)).rejects.toThrow(/aborted/);
  await expect(late.remove(NODE)).rejects.toThrow(/aborted/);
  expect(server.requests).toEqual([]);
});
