import { describe, expect, test } from 'vitest';
import { until } from '../until.ts';
import type { Caller } from './caller.ts';
import type { Fields } from './objects.ts';
import { textAt } from './objects.ts';
import { REQUESTS, requestOf, serverLab } from './server-lab.ts';

const { server, admin, callerWith } = serverLab();

describe('a certificate request', () => {
  const approve = (caller: Caller, name: string, conditions: Fields[]) =>
    caller.ask('PATCH', `${REQUESTS}/${name}/approval`, { status: { conditions } });

  test('gets its certificate once it is approved', async () => {
    await admin().ask('POST', REQUESTS, requestOf('csr-1'));
    const approved = await approve(admin(), 'csr-1', [{ type: 'Approved', status: 'True', reason: 'Known' }]);
    expect(approved.code).toBe(200);
    const certificate = await until('the certificate', async () => {
      const { body } = await admin().ask('GET', `${REQUESTS}/csr-1`);
      return textAt(body, 'status', 'certificate') || undefined;
    });
    expect(Buffer.from(certificate, 'base64').toString()).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  test('is not approved by who may not for its signer', async () => {
    await admin().ask('POST', REQUESTS, requestOf('csr-1'));
    const resources = ['certificatesigningrequests/approval'];
    server().addToken('half', { user: 'half', rights: [{ verbs: ['*'], resources }] });
    const { body } = await approve(callerWith({ token: 'half' }), 'csr-1', [
      { type: 'Approved', status: 'True' },
    ]);
    expect(body).toMatchObject({
      code: 403,
      message:
        'certificatesigningrequests.certificates.k8s.io "csr-1" is forbidden: user not permitted to approve requests with signerName "kubernetes.io/kube-apiserver-client-kubelet"',
    });
  });
});
