import { describe, expect, test } from 'vitest';
import { KubernetesTestClient } from './api-client.ts';
import { PODS } from './kubernetes-fixtures.ts';
import { listAt, textAt } from './objects.ts';
import { startKubernetes } from './server.ts';

describe('KubernetesServer', () => {
  test.each<[`1.${number}`, string, number]>([
    ['1.20', 'policy/v1', 400],
    ['1.20', 'policy/v1beta1', 201],
    ['1.22', 'policy/v1', 201],
    ['1.30', 'policy/v1', 201],
    ['1.30', 'policy/v1beta1', 201],
  ])('version %s answers an eviction of %s with %i', async (version, apiVersion, code) => {
    const other = await startKubernetes({ version });
    const client = new KubernetesTestClient({ url: other.url, ca: other.ca, token: other.adminToken });
    other.pod('p1', { node: 'n1' });
    const eviction = { apiVersion, kind: 'Eviction', metadata: { name: 'p1' } };
    const reply = await client.request('POST', `${PODS}/p1/eviction`, eviction);
    const policy = await client.request('GET', '/apis/policy/v1');
    const core = await client.request('GET', '/api/v1');
    client.close();
    await other.close();
    expect(reply.code).toBe(code);
    expect(policy.code).toBe(version === '1.20' ? 404 : 200);
    const row = listAt(core.body, 'resources').find(resource => textAt(resource, 'name') === 'pods/eviction');
    expect(textAt(row, 'version')).toBe(version === '1.20' ? 'v1beta1' : 'v1');
  });
});
