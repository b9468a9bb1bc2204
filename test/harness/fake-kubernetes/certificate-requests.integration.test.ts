import { describe, expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import type { KubernetesTestClient } from './api-client.ts';
import { certificateRequest, REQUESTS, serverFixture } from './kubernetes-fixtures.ts';
import type { Fields } from './objects.ts';
import { textAt } from './objects.ts';

const { server, admin, createClient: callerWith } = serverFixture();

describe('certificate requests of the fake Kubernetes API', () => {
  const approve = (client: KubernetesTestClient, name: string, conditions: Fields[]) =>
    client.request('PATCH', `${REQUESTS}/${name}/approval`, { status: { conditions } });

  test('are signed after approval', async () => {
    await admin().request('POST', REQUESTS, certificateRequest('csr-1'));
    const approved = await approve(admin(), 'csr-1', [{ type: 'Approved', status: 'True', reason: 'Known' }]);
    expect(approved.code).toBe(200);
    const certificate = await waitUntil('the certificate is signed', async () => {
      const { body } = await admin().request('GET', `${REQUESTS}/csr-1`);
      return textAt(body, 'status', 'certificate') || undefined;
    });
    expect(Buffer.from(certificate, 'base64').toString()).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  test('cannot be approved without permission for their signer', async () => {
    await admin().request('POST', REQUESTS, certificateRequest('csr-1'));
    const resources = ['certificatesigningrequests/approval'];
    server().addToken('half', { user: 'half', permissions: [{ verbs: ['*'], resources }] });
    const { body } = await approve(callerWith({ token: 'half' }), 'csr-1', [{ type: 'Approved', status: 'True' }]);
    expect(body).toMatchObject({
      code: 403,
      message:
        'certificatesigningrequests.certificates.k8s.io "csr-1" is forbidden: user not permitted to approve requests with signerName "kubernetes.io/kube-apiserver-client-kubelet"',
    });
  });
});
