import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { kubeletRequest } from '../../certificates/certificate-request.ts';
import type { Fields } from '../objects.ts';
import { fieldsAt, listAt } from '../objects.ts';
import type { ApiFixture } from './fixtures.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

export function describeCertificateRequests(fixture: ApiFixture): void {
  const { request, create, run } = fixture;
  const path = `${REQUESTS}/${run}`;
  const approve = (conditions: Fields[]) => request('PATCH', `${path}/approval`, { status: { conditions } });
  const approved = { type: 'Approved', status: 'True', reason: 'Known', message: 'it is ours' };

  describe('certificate requests', () => {
    beforeEach(async () => {
      // No controller signs for this signer.
      const signerName = 'example.com/unused';
      const spec = {
        request: kubeletRequest(),
        signerName,
        usages: ['client auth'],
        username: 'another',
      };
      await create(REQUESTS, { metadata: { name: run }, spec });
    });
    afterEach(() => request('DELETE', path));

    test('have the user and groups of their creator', async () => {
      const { body } = await request('GET', path);
      expect(fieldsAt(body, 'spec')).toMatchObject({
        username: 'admin',
        groups: ['system:masters', 'system:authenticated'],
      });
      expect(body['status']).toEqual({});
    });

    test('are approved only through the approval subresource, and irrevocably', async () => {
      const direct = await request('PATCH', path, { status: { conditions: [approved] } });
      expect([direct.code, direct.body['status']]).toEqual([200, {}]);
      const { code, body } = await approve([approved]);
      expect(code).toBe(200);
      expect(listAt(body, 'status', 'conditions')).toEqual([
        { ...approved, lastUpdateTime: expect.any(String), lastTransitionTime: expect.any(String) },
      ]);
      const removed = await approve([]);
      expect([removed.code, removed.body['message']]).toEqual([
        422,
        `CertificateSigningRequest.certificates.k8s.io "${run}" is invalid: status.conditions: Forbidden: updates may not remove a condition of type "Approved"`,
      ]);
    });

    test.each<[string, Fields[], RegExp]>([
      ['without a status', [{ type: 'Approved' }], /status.conditions\[0\].status: Required value$/],
      [
        'with the status False',
        [{ type: 'Approved', status: 'False' }],
        /Unsupported value: "False": supported values: "True"$/,
      ],
      [
        'combined with a denial',
        ['Approved', 'Denied'].map(type => ({ type, status: 'True' })),
        /Invalid value: "Denied": Approved and Denied conditions are mutually exclusive$/,
      ],
    ])('reject an approval %s', async (_case, conditions, message) => {
      const { code, body } = await approve(conditions);
      expect([code, body['message']]).toEqual([422, expect.stringMatching(message)]);
    });
  });
}
