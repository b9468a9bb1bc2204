import { describe, expect, test } from 'vitest';
import { Caller } from '../caller.ts';
import type { Fields, Json } from '../objects.ts';
import type { ApiLab } from './api-lab.ts';
import { NODES } from './api-lab.ts';

export function describeRefusals(lab: ApiLab): void {
  const { ask, node, pods } = lab;

  describe('what is refused', () => {
    test.each<[string, string, string, Json | undefined, Fields]>([
      [
        'an unknown object',
        'GET',
        `${NODES}/nobody`,
        undefined,
        {
          reason: 'NotFound',
          code: 404,
          message: 'nodes "nobody" not found',
          details: { name: 'nobody', kind: 'nodes' },
        },
      ],
      ['a patch of an unknown object', 'PATCH', `${NODES}/nobody`, {}, { reason: 'NotFound', code: 404 }],
      [
        'a deletion of an unknown object',
        'DELETE',
        `${NODES}/nobody`,
        undefined,
        { reason: 'NotFound', code: 404 },
      ],
      [
        'a second one of that name',
        'POST',
        NODES,
        { metadata: { name: node } },
        { reason: 'AlreadyExists', code: 409, message: `nodes "${node}" already exists` },
      ],
      [
        'an object in a namespace that is not there',
        'POST',
        '/api/v1/namespaces/nowhere/secrets',
        { metadata: { name: 'a' } },
        { reason: 'NotFound', code: 404, message: 'namespaces "nowhere" not found' },
      ],
      [
        'a name that is none',
        'POST',
        NODES,
        { metadata: { name: 'A_B' } },
        { reason: 'Invalid', code: 422, details: { name: 'A_B', kind: 'Node' } },
      ],
      [
        'a pod without containers',
        'POST',
        pods,
        { metadata: { name: 'empty' }, spec: {} },
        {
          reason: 'Invalid',
          code: 422,
          message: 'Pod "empty" is invalid: spec.containers: Required value',
        },
      ],
      [
        'another version of the API in the body',
        'POST',
        '/apis/certificates.k8s.io/v1/certificatesigningrequests',
        {
          apiVersion: 'certificates.k8s.io/v1beta1',
          kind: 'CertificateSigningRequest',
          metadata: { name: 'x' },
        },
        { reason: 'BadRequest', code: 400 },
      ],
      [
        'a field that cannot be selected by',
        'GET',
        `${NODES}?fieldSelector=spec.color%3Dred`,
        undefined,
        { reason: 'BadRequest', code: 400, message: 'field label not supported: spec.color' },
      ],
      [
        'a deletion of another uid',
        'DELETE',
        `${NODES}/${node}`,
        { preconditions: { uid: 'another' } },
        { reason: 'Conflict', code: 409, details: { name: node, kind: 'Node' } },
      ],
      [
        'a deletion of another version',
        'DELETE',
        `${NODES}/${node}`,
        { preconditions: { resourceVersion: '1' } },
        { reason: 'Conflict', code: 409 },
      ],
    ])('%s', async (_what, method, path, body, expected) => {
      const reply = await ask(method, path, body);
      expect(reply.body).toMatchObject({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
      });
      expect(reply.body).toMatchObject(expected);
      expect(reply.code).toBe(expected['code']);
    });

    test('a path that is none, in plain text', async () => {
      const { code, text } = await ask('GET', '/apis/nothing.example.com/v1/things');
      expect([code, text]).toEqual([404, '404 page not found\n']);
    });

    test('a token that is none', async () => {
      const { token: _token, ...others } = lab.endpoint;
      const stranger = new Caller({ ...others, token: 'wrong' });
      const { code, body } = await stranger.ask('GET', NODES);
      stranger.close();
      expect(code).toBe(401);
      expect(body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
    });

    test('whoever shows nothing, but not to the ones that ask how it is', async () => {
      const { token: _token, ...others } = lab.endpoint;
      const nobody = new Caller(others);
      const [refused, ready] = [
        await nobody.ask('GET', `${NODES}/${node}`),
        await nobody.ask('GET', '/readyz'),
      ];
      nobody.close();
      expect(refused.body).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        message: `nodes "${node}" is forbidden: User "system:anonymous" cannot get resource "nodes" in API group "" at the cluster scope`,
      });
      expect([ready.code, ready.text]).toEqual([200, 'ok']);
    });
  });
}
