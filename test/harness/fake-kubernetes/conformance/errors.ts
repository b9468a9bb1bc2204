import { describe, expect, test } from 'vitest';
import { KubernetesTestClient } from '../api-client.ts';
import type { Fields, Json } from '../objects.ts';
import type { ApiFixture } from './fixtures.ts';
import { NODES } from './fixtures.ts';

export function describeErrors(fixture: ApiFixture): void {
  const { request, node, pods } = fixture;

  describe('invalid requests', () => {
    test.each<[string, string, string, Json | undefined, Fields]>([
      [
        'an unknown object',
        'GET',
        `${NODES}/unknown`,
        undefined,
        {
          reason: 'NotFound',
          code: 404,
          message: 'nodes "unknown" not found',
          details: { name: 'unknown', kind: 'nodes' },
        },
      ],
      ['a patch of an unknown object', 'PATCH', `${NODES}/unknown`, {}, { reason: 'NotFound', code: 404 }],
      ['a deletion of an unknown object', 'DELETE', `${NODES}/unknown`, undefined, { reason: 'NotFound', code: 404 }],
      [
        'a duplicate name',
        'POST',
        NODES,
        { metadata: { name: node } },
        { reason: 'AlreadyExists', code: 409, message: `nodes "${node}" already exists` },
      ],
      [
        'an object in an unknown namespace',
        'POST',
        '/api/v1/namespaces/nowhere/secrets',
        { metadata: { name: 'a' } },
        { reason: 'NotFound', code: 404, message: 'namespaces "nowhere" not found' },
      ],
      [
        'an invalid name',
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
        'a different API version in the body',
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
        'an unsupported field selector',
        'GET',
        `${NODES}?fieldSelector=spec.color%3Dred`,
        undefined,
        { reason: 'BadRequest', code: 400, message: 'field label not supported: spec.color' },
      ],
      [
        'a deletion with a different uid',
        'DELETE',
        `${NODES}/${node}`,
        { preconditions: { uid: 'another' } },
        { reason: 'Conflict', code: 409, details: { name: node, kind: 'Node' } },
      ],
      [
        'a deletion with a different version',
        'DELETE',
        `${NODES}/${node}`,
        { preconditions: { resourceVersion: '1' } },
        { reason: 'Conflict', code: 409 },
      ],
    ])('return an error for %s', async (_case, method, path, body, expected) => {
      const reply = await request(method, path, body);
      expect(reply.body).toMatchObject({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
      });
      expect(reply.body).toMatchObject(expected);
      expect(reply.code).toBe(expected['code']);
    });

    test('an unknown path returns 404 in plain text', async () => {
      const { code, text } = await request('GET', '/apis/nothing.example.com/v1/things');
      expect([code, text]).toEqual([404, '404 page not found\n']);
    });

    test('an invalid token returns 401', async () => {
      const { token: _token, ...others } = fixture.endpoint;
      const unknownClient = new KubernetesTestClient({ ...others, token: 'wrong' });
      const { code, body } = await unknownClient.request('GET', NODES);
      unknownClient.close();
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

    test('anonymous requests return 403, except for health checks', async () => {
      const { token: _token, ...others } = fixture.endpoint;
      const anonymousClient = new KubernetesTestClient(others);
      const [rejected, ready] = [
        await anonymousClient.request('GET', `${NODES}/${node}`),
        await anonymousClient.request('GET', '/readyz'),
      ];
      anonymousClient.close();
      expect(rejected.body).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        message: `nodes "${node}" is forbidden: User "system:anonymous" cannot get resource "nodes" in API group "" at the cluster scope`,
      });
      expect([ready.code, ready.text]).toEqual([200, 'ok']);
    });
  });
}
