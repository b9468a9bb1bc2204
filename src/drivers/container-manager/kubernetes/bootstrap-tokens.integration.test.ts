import { describe, expect, test } from 'vitest';
import { kubernetesFixture } from '../../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import type { KubeObject } from '../../../../test/harness/fake-kubernetes/objects.ts';
import { fieldsAt } from '../../../../test/harness/fake-kubernetes/objects.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { createBootstrapTokens } from './bootstrap-tokens.ts';

const NODE = '127.0.0.1' as Address;
const OTHER = '127.0.0.2' as Address;
const MINUTE_MS = 60_000;
const fixture = kubernetesFixture();

const tokens = (now = Date.now()) => createBootstrapTokens(fixture().createClient().secrets, () => now);
const storedSecrets = () => fixture().server.objects('secrets');
const names = () => storedSecrets().map(({ metadata }) => metadata.name);

/** Decoded data of the first secret. */
const fields = () =>
  Object.fromEntries(
    Object.entries(fieldsAt(storedSecrets()[0], 'data')).map(([key, value]) => [
      key,
      Buffer.from(String(value), 'base64').toString(),
    ]),
  );

describe('bootstrap tokens', () => {
  test('creates a secret in the documented format that expires after 30 minutes', async () => {
    const token = await tokens(Date.parse('2026-01-01T00:00:00.123Z')).getOrCreate(NODE);
    const [id, secret] = token.reveal().split('.');
    expect(token.reveal()).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    expect(storedSecrets()).toMatchObject([
      {
        metadata: {
          name: `bootstrap-token-${id}`,
          namespace: 'kube-system',
          annotations: { 'hostler/joining-host': NODE },
        },
        type: 'bootstrap.kubernetes.io/token',
      },
    ]);
    expect(fields()).toEqual({
      description: `Created by Hostler to join ${NODE}; deleted after the join.`,
      'token-id': id,
      'token-secret': secret,
      expiration: '2026-01-01T00:30:00Z',
      'usage-bootstrap-authentication': 'true',
      'usage-bootstrap-signing': 'true',
      'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
    });
  });

  test('creates a token that authenticates its host until it is revoked', async () => {
    const token = await tokens().getOrCreate(NODE);
    const asHost = fixture().createClient({ token });
    expect(await asHost.getConfigMap('kube-public', 'cluster-info')).toHaveProperty('kubeconfig');
    expect(
      await asHost.hasPermission({
        verb: 'create',
        group: 'certificates.k8s.io',
        resource: 'certificatesigningrequests',
      }),
    ).toBe(true);
    await expect(asHost.nodes.list()).rejects.toThrow(/\(403\)/);
    await tokens().revoke(NODE);
    expect(storedSecrets()).toEqual([]);
    await expect(asHost.nodes.list()).rejects.toThrow(/\(401\)/);
  });

  test('reuses a token that is valid for at least ten more minutes', async () => {
    const now = Date.now();
    const token = await tokens(now).getOrCreate(NODE);
    expect((await tokens(now + 19 * MINUTE_MS).getOrCreate(NODE)).reveal()).toBe(token.reveal());
    const later = await tokens(now + 21 * MINUTE_MS).getOrCreate(NODE);
    expect(later.reveal()).not.toBe(token.reveal());
    expect(later.reveal().slice(0, 6)).toBe(token.reveal().slice(0, 6));
    expect(storedSecrets()).toHaveLength(1);
  });

  test.each([
    ['is not for authentication', 'usage-bootstrap-authentication', 'false'],
    ['has an invalid expiration', 'expiration', 'soon'],
    ['has another group', 'auth-extra-groups', 'system:bootstrappers:others'],
    ['has an invalid secret', 'token-secret', 'short'],
  ])('replaces a token that %s', async (_label, key, value) => {
    const token = await tokens().getOrCreate(NODE);
    fixture().server.change(
      'secrets',
      names()[0] ?? '',
      secret => {
        secret['data'] = { ...fieldsAt(secret, 'data'), [key]: Buffer.from(value).toString('base64') };
      },
      'kube-system',
    );
    expect((await tokens().getOrCreate(NODE)).reveal()).not.toBe(token.reveal());
    expect(storedSecrets()).toHaveLength(1);
  });

  test('uses another id if a foreign token has it, and keeps the foreign token', async () => {
    await tokens().getOrCreate(NODE);
    const [name = ''] = names();
    const removeAnnotation = (secret: KubeObject) => {
      secret.metadata.annotations = {};
    };
    fixture().server.change('secrets', name, removeAnnotation, 'kube-system');
    const token = await tokens().getOrCreate(NODE);
    expect(names()).toHaveLength(2);
    expect((await tokens().getOrCreate(NODE)).reveal()).toBe(token.reveal());
    await tokens().revoke(NODE);
    expect(names()).toEqual([name]);
  });

  test('revokes a token also after the foreign token with its first id is gone', async () => {
    await tokens().getOrCreate(NODE);
    const [name = ''] = names();
    const removeAnnotation = (secret: KubeObject) => {
      secret.metadata.annotations = {};
    };
    fixture().server.change('secrets', name, removeAnnotation, 'kube-system');
    await tokens().getOrCreate(NODE);
    fixture().server.remove('secrets', name, 'kube-system');
    await tokens().revoke(NODE);
    expect(names()).toEqual([]);
  });

  test('uses another id if a foreign token with it is created concurrently', async () => {
    fixture().server.before({ method: 'POST', path: /secrets$/ }, async ({ body }) => {
      const metadata = { ...fieldsAt(body, 'metadata'), annotations: {} };
      await fixture().create('/api/v1/namespaces/kube-system/secrets', { ...fieldsAt(body), metadata });
    });
    await tokens().getOrCreate(NODE);
    expect(names()).toHaveLength(2);
  });

  test('creates and revokes the tokens of two hosts independently', async () => {
    const [first, second] = [await tokens().getOrCreate(NODE), await tokens().getOrCreate(OTHER)];
    expect(first.reveal().slice(0, 6)).not.toBe(second.reveal().slice(0, 6));
    await tokens().revoke(NODE);
    expect(names()).toEqual([`bootstrap-token-${second.reveal().slice(0, 6)}`]);
  });
});
