import { describe, expect, test } from 'vitest';
import { containerManagerConforms } from '../../../../test/conformance/container-manager.ts';
import { optionsConform } from '../../../../test/conformance/driver-options.ts';
import { driverMemory } from '../../../../test/harness/driver-contexts.ts';
import {
  kubernetesFixture,
  kubernetesManagerFixture,
} from '../../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';
import type { ContainerManager, ContainerManagerContext } from '../container-manager.ts';
import { k3s } from './k3s.ts';

const server_url = 'https://10.0.0.1:6443';
const [binary_url, binary_sha256] = ['https://files.example/k3s', 'a'.repeat(64)];
const certificate = { certificate_path: '/c', certificate_key_path: '/k' };

optionsConform(k3s, {
  good: [
    ['only a URL', { server_url }],
    ['tokens and a CA', { server_url, token: 'K10abc::server:x', api_token: 'y', ca_path: '/ca.pem' }],
    ['a client certificate', { server_url, ...certificate }],
    ['a download URL', { server_url, binary_url, binary_sha256 }],
  ],
  bad: [
    ['no URL', { token: 'x' }, ['/server_url']],
    ['an empty token', { server_url, token: '' }, ['/token']],
    ['a token that is not a string', { server_url, token: 5 }, ['/token']],
    ['an empty API token', { server_url, api_token: '' }, ['/api_token']],
    ['a certificate without its key', { server_url, certificate_path: '/c' }, ['/certificate_key_path']],
    ['a URL without a digest', { server_url, binary_url }, ['/binary_sha256']],
    ['a digest without a URL', { server_url, binary_sha256 }, ['/binary_url']],
    ['a SHA-1 digest', { server_url, binary_url, binary_sha256: 'a'.repeat(40) }, ['/binary_sha256']],
    ['a file URL', { server_url, binary_url: 'file:///k3s', binary_sha256 }, ['/binary_url']],
  ],
});

const NODE = '127.0.0.1' as Address;
const OTHER = '127.0.0.2' as Address;
const HOST = { address: NODE, hostname: 'n1' };
const TOKEN = `K10${'0a'.repeat(32)}::server:hush`;
const fixture = kubernetesFixture();

const record = (options: Readonly<Record<string, unknown>> = {}): ContainerManagerContext =>
  fixture().createContext({ token: TOKEN, api_token: fixture().server.adminToken, ...options });

function open(context: ContainerManagerContext = record()): ContainerManager {
  return k3s.open(context);
}

containerManagerConforms('k3s', kubernetesManagerFixture(fixture, open));

describe('k3s connection check', () => {
  test.each<[label: string, options: Record<string, unknown>, problems: RegExp[]]>([
    ['a token in short form', { token: 'hush' }, [/secure form.*server\/node-token/]],
    ['a token without a digest', { token: 'K10::server:hush' }, [/secure form/]],
    ['a token with a truncated digest', { token: `K10${'0a'.repeat(16)}::server:hush` }, [/secure form/]],
    ['a token with a newline', { token: `${TOKEN}\nx: y` }, [/secure form/]],
    ['a token without a password', { token: TOKEN.replace('hush', '') }, [/secure form/]],
    ['a bootstrap token', { token: `K10${'0a'.repeat(32)}::abcdef.0123456789abcdef` }, []],
    ['a missing token', { token: undefined }, [/`token`, .*, is missing.*node-token/]],
    ['missing API credentials', { api_token: undefined }, [/`api_token`, or a client certificate/]],
    ['http', { server_url: 'http://127.0.0.1:1' }, [/https/]],
    [
      'several invalid options',
      { server_url: 'http://127.0.0.1:1', token: '', api_token: '' },
      [/https/, /api/, /token/],
    ],
  ])('reports problems without secrets for %s', async (_label, options, problems) => {
    const found = (await open(record(options)).checkConnection()).problems;
    expect(found).toEqual(problems.map(problem => expect.stringMatching(problem)));
    expect(found.join()).not.toContain('hush');
  });

  test('supports a client certificate', async () => {
    const { cert, key } = fixture().server.clientCertificate('hostler-client', ['system:masters']);
    const options = { api_token: undefined, certificate_path: cert, certificate_key_path: key };
    expect(await open(record(options)).checkConnection()).toMatchObject({ version: /^v1/, problems: [] });
    expect(fixture().server.requests.at(-1)?.user).toBe('hostler-client');
  });

  test('names the option of a token that the API rejects', async () => {
    await expect(open(record({ api_token: 'wrong' })).checkConnection()).rejects.toThrow(/`api_token`/);
  });

  test('reports a missing permission that only k3s needs', async () => {
    fixture().server.addToken('limited', {
      user: 'limited',
      permissions: [{ verbs: ['*'], resources: ['nodes', 'pods', 'pods/eviction'] }],
    });
    expect((await open(record({ api_token: 'limited' })).checkConnection()).problems).toEqual([
      expect.stringMatching(/denies permission to delete secrets in kube-system$/),
    ]);
  });
});

describe('k3s join', () => {
  test.each([
    ['token', { token: 'hush' }, /secure form/],
    ['URL', { server_url: 'http://127.0.0.1:1' }, /https/],
  ])('is rejected without a secure %s', async (_label, options, message) => {
    await expect(open(record(options)).joinPlan(HOST)).rejects.toThrow(message);
  });

  test('reports that the agent has not registered yet', async () => {
    expect(await open().register(HOST)).toMatch(/no node with the address 127.0.0.1 yet; see journalctl/);
  });
});

describe('k3s node password', () => {
  const password = (name: string) => `${name}.node-password.k3s`;
  const passwords = () =>
    fixture()
      .server.objects('secrets', 'kube-system')
      .map(({ metadata }) => metadata.name);

  async function join(name: string, address: Address) {
    fixture().server.kubelet(name, { address });
    const metadata = { name: password(name), namespace: 'kube-system' };
    await fixture().create('/api/v1/namespaces/kube-system/secrets', { metadata, stringData: { hash: 'x' } });
  }

  test('is deleted with its node, without deleting others', async () => {
    const manager = open();
    await join('n1', NODE);
    await join('n2', OTHER);
    await manager.register(HOST);
    await manager.remove(NODE);
    expect(passwords()).toEqual([password('n2')]);
  });

  test('is deleted for a node that was never registered', async () => {
    await join('n1', NODE);
    await open().remove(NODE);
    expect(passwords()).toEqual([]);
  });

  test.each(['without a report', 'after a report'])('is deleted if others have deleted the node, %s', async when => {
    const context = record();
    await join('n1', NODE);
    await open(context).register(HOST);
    fixture().server.remove('nodes', 'n1');
    if (when === 'after a report') await open(context).report(NODE);
    await open(context).remove(NODE);
    expect(passwords()).toEqual([]);
  });

  test('is deleted on the next attempt after an API error', async () => {
    const context = record();
    await join('n1', NODE);
    const fault = { status: 503, body: { message: 'unavailable' } };
    fixture().server.addFault({ match: { method: 'DELETE', path: /secrets/ }, times: 1, do: fault });
    await expect(open(context).remove(NODE)).rejects.toThrow(/unavailable/);
    expect(fixture().server.objects('nodes')).toEqual([]);
    await open(context).remove(NODE);
    expect(passwords()).toEqual([]);
  });

  test('is deleted while the node is still terminating', async () => {
    await join('n1', NODE);
    fixture().server.change('nodes', 'n1', ({ metadata }) => {
      metadata.finalizers = ['wrangler.cattle.io/node'];
    });
    await open().remove(NODE);
    expect(fixture().server.object('nodes', 'n1')?.metadata.deletionTimestamp).toBeDefined();
    expect(passwords()).toEqual([]);
  });

  test('is kept if another host has taken over the node name', async () => {
    const context = record();
    await join('n1', NODE);
    await open(context).register(HOST);
    fixture().server.kubelet('n1', { address: OTHER });
    await open(context).remove(NODE);
    expect(passwords()).toEqual([password('n1')]);
    expect(fixture().server.object('nodes', 'n1')).toBeDefined();
  });

  test('is deleted for the previous name when the host registers under another name', async () => {
    const context = record();
    await join('n1', NODE);
    await open(context).register(HOST);
    fixture().server.remove('nodes', 'n1');
    await join('n2', NODE);
    await open(context).register(HOST);
    expect(passwords()).toEqual([password('n2')]);
  });
});

describe('k3s server', () => {
  test('is uncordoned and stays a node when its host leaves', async () => {
    const manager = open({ ...record(), memory: driverMemory() });
    fixture().server.kubelet('s1', { address: NODE, isControlPlane: true });
    await manager.register(HOST);
    await manager.cordon(NODE, cordonOwner('op', 1));
    await manager.remove(NODE);
    await manager.remove(NODE);
    expect(await manager.report(NODE)).toMatchObject({ state: 'registered', name: 's1', schedulable: true });
  });
});
