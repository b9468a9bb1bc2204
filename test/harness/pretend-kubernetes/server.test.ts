import { describe, expect, test } from 'vitest';
import { Caller } from './caller.ts';
import { listAt, textAt } from './objects.ts';
import { startKubernetes } from './server.ts';
import { PODS } from './server-lab.ts';

describe('versions', () => {
  test.each<[`1.${number}`, string, number]>([
    ['1.20', 'policy/v1', 400],
    ['1.20', 'policy/v1beta1', 201],
    ['1.22', 'policy/v1', 201],
    ['1.30', 'policy/v1', 201],
    ['1.30', 'policy/v1beta1', 201],
  ])('%s answers an eviction of %s with %i', async (version, apiVersion, code) => {
    const other = await startKubernetes({ version });
    const caller = new Caller({ url: other.url, ca: other.ca, token: other.adminToken });
    other.pod('p1', { node: 'n1' });
    const eviction = { apiVersion, kind: 'Eviction', metadata: { name: 'p1' } };
    const reply = await caller.ask('POST', `${PODS}/p1/eviction`, eviction);
    const policy = await caller.ask('GET', '/apis/policy/v1');
    const core = await caller.ask('GET', '/api/v1');
    caller.close();
    await other.close();
    expect(reply.code).toBe(code);
    expect(policy.code).toBe(version === '1.20' ? 404 : 200);
    const row = listAt(core.body, 'resources').find(one => textAt(one, 'name') === 'pods/eviction');
    expect(textAt(row, 'version')).toBe(version === '1.20' ? 'v1beta1' : 'v1');
  });
});
