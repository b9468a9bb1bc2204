import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { kubeletRequest } from '../../certificates/certificate-request-pem.ts';
import type { Fields } from '../objects.ts';
import { fieldsAt, listAt } from '../objects.ts';
import type { ApiLab } from './api-lab.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

export function describeCertificateRequests(lab: ApiLab): void {
  const { ask, make, run } = lab;
  const path = `${REQUESTS}/${run}`;
  const approve = (conditions: Fields[]) => ask('PATCH', `${path}/approval`, { status: { conditions } });
  const approved = { type: 'Approved', status: 'True', reason: 'Known', message: 'it is ours' };

  describe('a certificate request', () => {
    beforeEach(async () => {
      // No controller signs for this one.
      const signerName = 'example.com/nobody';
      const spec = {
        request: kubeletRequest(),
        signerName,
        usages: ['client auth'],
        username: 'another',
      };
      await make(REQUESTS, { metadata: { name: run }, spec });
    });
    afterEach(() => ask('DELETE', path));

    test('is of who made it, whatever it says', async () => {
      const { body } = await ask('GET', path);
      expect(fieldsAt(body, 'spec')).toMatchObject({
        username: 'admin',
        groups: ['system:masters', 'system:authenticated'],
      });
      expect(body['status']).toEqual({});
    });

    test('is approved through a path of its own, for good', async () => {
      const past = await ask('PATCH', path, { status: { conditions: [approved] } });
      expect([past.code, past.body['status']]).toEqual([200, {}]);
      const { code, body } = await approve([approved]);
      expect(code).toBe(200);
      expect(listAt(body, 'status', 'conditions')).toEqual([
        { ...approved, lastUpdateTime: expect.any(String), lastTransitionTime: expect.any(String) },
      ]);
      const undone = await approve([]);
      expect([undone.code, undone.body['message']]).toEqual([
        422,
        `CertificateSigningRequest.certificates.k8s.io "${run}" is invalid: status.conditions: Forbidden: updates may not remove a condition of type "Approved"`,
      ]);
    });

    test.each<[string, Fields[], RegExp]>([
      ['without a status', [{ type: 'Approved' }], /status.conditions\[0\].status: Required value$/],
      [
        'that says no',
        [{ type: 'Approved', status: 'False' }],
        /Unsupported value: "False": supported values: "True"$/,
      ],
      [
        'and a refusal',
        ['Approved', 'Denied'].map(type => ({ type, status: 'True' })),
        /Invalid value: "Denied": Approved and Denied conditions are mutually exclusive$/,
      ],
    ])('with an approval %s is refused', async (_what, conditions, message) => {
      const { code, body } = await approve(conditions);
      expect([code, body['message']]).toEqual([422, expect.stringMatching(message)]);
    });
  });
}
