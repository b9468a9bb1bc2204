import { describe, expect, test } from 'vitest';
import { driverMemory } from '../../../../test/harness/driver-memory.ts';
import { kubeLab, kubeManagerLab } from '../../../../test/harness/pretend-kubernetes/kube-lab.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';
import { optionsConform } from '../../options-conformance.ts';
import { containerManagerConforms } from '../conformance.ts';
import type { ContainerManager, ContainerManagerContext } from '../container-manager.ts';
import { k3s } from './k3s.ts';

const server_url = 'https://10.0.0.1:6443';
const [binary_url, binary_sha256] = ['https://files.example/k3s', 'a'.repeat(64)];
const certificate = { certificate_path: '/c', certificate_key_path: '/k' };

optionsConform(k3s, {
  good: [
    ['the URL alone', { server_url }],
    [
      'tokens and an authority',
      { server_url, token: 'K10abc::server:x', api_token: 'y', ca_path: '/ca.pem' },
    ],
    ['a client certificate', { server_url, ...certificate }],
    ['where k3s is downloaded from', { server_url, binary_url, binary_sha256 }],
  ],
  bad: [
    ['no URL', { token: 'x' }, ['/server_url']],
    ['an empty token', { server_url, token: '' }, ['/token']],
    ['a token that is no text', { server_url, token: 5 }, ['/token']],
    ['an empty token for the API', { server_url, api_token: '' }, ['/api_token']],
    ['a certificate without its key', { server_url, certificate_path: '/c' }, ['/certificate_key_path']],
    ['a download without its digest', { server_url, binary_url }, ['/binary_sha256']],
    ['a digest without its download', { server_url, binary_sha256 }, ['/binary_url']],
    [
      'a digest of another kind',
      { server_url, binary_url, binary_sha256: 'a'.repeat(40) },
      ['/binary_sha256'],
    ],
    ['a download from a file', { server_url, binary_url: 'file:///k3s', binary_sha256 }, ['/binary_url']],
  ],
});

const NODE = '127.0.0.1' as Address;
const OTHER = '127.0.0.2' as Address;
const HOST = { address: NODE, hostname: 'n1' };
const TOKEN = `K10${'0a'.repeat(32)}::server:hush`;
const fixture = kubeLab();

const record = (options: Readonly<Record<string, unknown>> = {}): ContainerManagerContext =>
  fixture().record({ token: TOKEN, api_token: fixture().server.adminToken, ...options });

function open(given: ContainerManagerContext = record()): ContainerManager {
  return k3s.open(given);
}

containerManagerConforms('k3s', kubeManagerLab(fixture, open));

describe('a check of k3s', () => {
  test.each<[what: string, options: Record<string, unknown>, problems: RegExp[]]>([
    ['a token in its short form', { token: 'hush' }, [/secure form.*server\/node-token/]],
    ['a token without a digest', { token: 'K10::server:hush' }, [/secure form/]],
    ['a token with half a digest', { token: `K10${'0a'.repeat(16)}::server:hush` }, [/secure form/]],
    ['a token that breaks a line', { token: `${TOKEN}\nx: y` }, [/secure form/]],
    ['a token without a password', { token: TOKEN.replace('hush', '') }, [/secure form/]],
    ['a token that expires', { token: `K10${'0a'.repeat(32)}::abcdef.0123456789abcdef` }, []],
    ['no token', { token: undefined }, [/`token`, .*, is missing.*node-token/]],
    ['nothing to show to the API', { api_token: undefined }, [/`api_token`, or a client certificate/]],
    ['http', { server_url: 'http://127.0.0.1:1' }, [/https/]],
    [
      'nothing right',
      { server_url: 'http://127.0.0.1:1', token: '', api_token: '' },
      [/https/, /api/, /token/],
    ],
  ])('says what is wrong with %s, and no secret', async (_what, options, problems) => {
    const found = (await open(record(options)).checkConnection()).problems;
    expect(found).toEqual(problems.map(problem => expect.stringMatching(problem)));
    expect(found.join()).not.toContain('hush');
  });

  test('asks the API with a client certificate too', async () => {
    const { cert, key } = fixture().server.clientCertificate('looks-after', ['system:masters']);
    const options = { api_token: undefined, certificate_path: cert, certificate_key_path: key };
    expect(await open(record(options)).checkConnection()).toMatchObject({ version: /^v1/, problems: [] });
    expect(fixture().server.requests.at(-1)?.user).toBe('looks-after');
  });

  test('names the option of a token that the API refuses', async () => {
    await expect(open(record({ api_token: 'wrong' })).checkConnection()).rejects.toThrow(/`api_token`/);
  });

  test('says which right is missing that only k3s needs', async () => {
    fixture().server.addToken('modest', {
      user: 'modest',
      rights: [{ verbs: ['*'], resources: ['nodes', 'pods', 'pods/eviction'] }],
    });
    expect((await open(record({ api_token: 'modest' })).checkConnection()).problems).toEqual([
      expect.stringMatching(/denies permission to delete secrets in kube-system$/),
    ]);
  });
});

describe('joining k3s', () => {
  test.each([
    ['token', { token: 'hush' }, /secure form/],
    ['URL', { server_url: 'http://127.0.0.1:1' }, /https/],
  ])('is refused without a %s that is safe', async (_what, options, why) => {
    await expect(open(record(options)).joinPlan(HOST)).rejects.toThrow(why);
  });

  test('says so while the agent has not turned up', async () => {
    expect(await open().register(HOST)).toMatch(/no node with the address 127.0.0.1 yet; see journalctl/);
  });
});

describe('the password of a node of k3s', () => {
  const password = (name: string) => `${name}.node-password.k3s`;
  const passwords = () =>
    fixture()
      .server.objects('secrets', 'kube-system')
      .map(({ metadata }) => metadata.name);

  async function join(name: string, address: Address) {
    fixture().server.kubelet(name, { address });
    const metadata = { name: password(name), namespace: 'kube-system' };
    await fixture().make('/api/v1/namespaces/kube-system/secrets', { metadata, stringData: { hash: 'x' } });
  }

  test('goes with it, and no other does', async () => {
    const manager = open();
    await join('n1', NODE);
    await join('n2', OTHER);
    await manager.register(HOST);
    await manager.remove(NODE);
    expect(passwords()).toEqual([password('n2')]);
  });

  test('goes also when the node was never registered here', async () => {
    await join('n1', NODE);
    await open().remove(NODE);
    expect(passwords()).toEqual([]);
  });

  test.each(['and nobody has looked', 'and it was reported so'])(
    'goes also when somebody has deleted the node, %s',
    async when => {
      const given = record();
      await join('n1', NODE);
      await open(given).register(HOST);
      fixture().server.remove('nodes', 'n1');
      if (when.includes('reported')) await open(given).report(NODE);
      await open(given).remove(NODE);
      expect(passwords()).toEqual([]);
    },
  );

  test('goes at the next try when the server fails in between', async () => {
    const given = record();
    await join('n1', NODE);
    const fault = { status: 503, body: { message: 'not now' } };
    fixture().server.fault({ match: { method: 'DELETE', path: /secrets/ }, times: 1, do: fault });
    await expect(open(given).remove(NODE)).rejects.toThrow(/not now/);
    expect(fixture().server.objects('nodes')).toEqual([]);
    await open(given).remove(NODE);
    expect(passwords()).toEqual([]);
  });

  test('goes while the node itself is still on its way out', async () => {
    await join('n1', NODE);
    fixture().server.change('nodes', 'n1', ({ metadata }) => {
      metadata.finalizers = ['wrangler.cattle.io/node'];
    });
    await open().remove(NODE);
    expect(fixture().server.object('nodes', 'n1')?.metadata.deletionTimestamp).toBeDefined();
    expect(passwords()).toEqual([]);
  });

  test('stays when another host has taken over the name', async () => {
    const given = record();
    await join('n1', NODE);
    await open(given).register(HOST);
    fixture().server.kubelet('n1', { address: OTHER });
    await open(given).remove(NODE);
    expect(passwords()).toEqual([password('n1')]);
    expect(fixture().server.object('nodes', 'n1')).toBeDefined();
  });

  test('of an earlier name goes when the host comes back under another', async () => {
    const given = record();
    await join('n1', NODE);
    await open(given).register(HOST);
    fixture().server.remove('nodes', 'n1');
    await join('n2', NODE);
    await open(given).register(HOST);
    expect(passwords()).toEqual([password('n2')]);
  });
});

describe('a server of k3s', () => {
  test('is given back and stays a node when its host leaves', async () => {
    const manager = open({ ...record(), memory: driverMemory() });
    fixture().server.kubelet('s1', { address: NODE, isControlPlane: true });
    await manager.register(HOST);
    await manager.cordon(NODE, cordonOwner('one', 1));
    await manager.remove(NODE);
    await manager.remove(NODE);
    expect(await manager.report(NODE)).toMatchObject({ state: 'registered', name: 's1', schedulable: true });
  });
});
