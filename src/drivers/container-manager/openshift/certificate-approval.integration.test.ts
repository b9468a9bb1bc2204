import { describe, expect, test } from 'vitest';
import { certificateRequestPem } from '../../../../test/harness/certificates/certificate-request.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { CertificateRequest } from '../../../integrations/kubernetes/certificate-requests.ts';
import { CLIENT_SIGNER, isClientRequest, isServingRequest, SERVING_SIGNER } from './certificate-approval.ts';

const OPERATOR = 'openshift-machine-config-operator';
const NODE = { name: 'n1.example', addresses: ['127.0.0.1', '::1'] as Address[] };
const SUBJECT = '/O=system:nodes/CN=system:node:n1.example';
const NAMES = 'DNS:n1.example,IP:127.0.0.1,IP:::1';

const pem = (subject: string, names?: string) =>
  certificateRequestPem({ subject, extensions: names === undefined ? [] : [`subjectAltName = ${names}`] });

const common = { name: 'csr-1', uid: 'u1', createdAt: '2026-01-01T00:00:00Z', isPending: true };

const client = (): CertificateRequest => ({
  ...common,
  signerName: CLIENT_SIGNER,
  username: `system:serviceaccount:${OPERATOR}:node-bootstrapper`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${OPERATOR}`, 'system:authenticated'],
  usages: ['digital signature', 'client auth'],
  pem: pem(SUBJECT),
});

const serving = (): CertificateRequest => ({
  ...common,
  signerName: SERVING_SIGNER,
  username: 'system:node:n1.example',
  groups: ['system:nodes', 'system:authenticated'],
  usages: ['digital signature', 'server auth'],
  pem: pem(SUBJECT, NAMES),
});

type Row = readonly [label: string, isOwn: boolean, change: () => Partial<CertificateRequest>];

/** Invalid variants of both requests; `names` are the alternative names of the valid request. */
const otherRequests = (names?: string): readonly Row[] => [
  ['for another node', false, () => ({ pem: pem('/O=system:nodes/CN=system:node:n2.example', names) })],
  ['for the first label of its name', false, () => ({ pem: pem('/O=system:nodes/CN=system:node:n1', names) })],
  ['for a longer name', false, () => ({ pem: pem(`${SUBJECT}.org`, names) })],
  ['for its name in uppercase', false, () => ({ pem: pem('/O=system:nodes/CN=system:node:N1.example', names) })],
  ['with two names', false, () => ({ pem: pem(`${SUBJECT}/CN=system:node:n2.example`, names) })],
  ['with its name twice', false, () => ({ pem: pem(`${SUBJECT}/CN=system:node:n1.example`, names) })],
  ['with another group', false, () => ({ pem: pem('/O=system:masters/CN=system:node:n1.example', names) })],
  ['with one more group', false, () => ({ pem: pem(`/O=system:masters${SUBJECT}`, names) })],
  ['without a group', false, () => ({ pem: pem('/CN=system:node:n1.example', names) })],
  ['with invalid PEM', false, () => ({ pem: 'invalid' })],
  ['that is not pending', false, () => ({ isPending: false })],
  ['without usages', false, () => ({ usages: [] })],
  ['for client and server', false, () => ({ usages: ['digital signature', 'client auth', 'server auth'] })],
  ['with cert sign usage', false, () => ({ usages: [...client().usages, 'cert sign'] })],
  ['with only digital signature usage', false, () => ({ usages: ['digital signature', 'digital signature'] })],
  ['by an administrator', false, () => ({ username: 'system:admin', groups: ['system:masters'] })],
];

describe('isClientRequest', () => {
  test.each<Row>([
    ['from a kubelet', true, () => ({})],
    ['with an RSA key', true, () => ({ usages: ['key encipherment', ...client().usages] })],
    ...otherRequests(),
    ['with alternative names', false, () => ({ pem: pem(SUBJECT, 'DNS:n1.example') })],
    ['for another signer', false, () => ({ signerName: 'kubernetes.io/kube-apiserver-client' })],
    ['for the serving signer', false, () => ({ signerName: SERVING_SIGNER })],
    ['with server usages', false, () => ({ usages: serving().usages })],
    ['by the node itself', false, () => ({ username: 'system:node:n1.example', groups: ['system:nodes'] })],
    [
      'by a service account of the same name in another namespace',
      false,
      () => ({ username: 'system:serviceaccount:default:node-bootstrapper' }),
    ],
    ['by a user without the group', false, () => ({ groups: ['system:authenticated'] })],
  ])('evaluates a request %s to %s', (_label, isOwn, change) => {
    expect(isClientRequest({ ...client(), ...change() }, 'n1.example')).toBe(isOwn);
  });
});

describe('isServingRequest', () => {
  test.each<Row>([
    ['from a kubelet', true, () => ({})],
    ['with an RSA key', true, () => ({ usages: ['key encipherment', ...serving().usages] })],
    ['without its name', true, () => ({ pem: pem(SUBJECT, 'IP:127.0.0.1,IP:::1') })],
    ...otherRequests(NAMES),
    ['with the name of another host', false, () => ({ pem: pem(SUBJECT, `${NAMES},DNS:api.example`) })],
    ['with a wildcard name', false, () => ({ pem: pem(SUBJECT, NAMES.replace('n1', '*')) })],
    ['with the address of another host', false, () => ({ pem: pem(SUBJECT, `${NAMES},IP:127.0.0.2`) })],
    ['with only one of its addresses', false, () => ({ pem: pem(SUBJECT, 'DNS:n1.example,IP:127.0.0.1') })],
    ['without alternative names', false, () => ({ pem: pem(SUBJECT) })],
    ['with an email address', false, () => ({ pem: pem(SUBJECT, `${NAMES},email:root@n1`) })],
    ['for another signer', false, () => ({ signerName: 'example.com/serving' })],
    ['with client usages', false, () => ({ usages: client().usages })],
    ['by another node', false, () => ({ username: 'system:node:n2.example' })],
    ['by a user outside the group system:nodes', false, () => ({ groups: ['system:authenticated'] })],
  ])('evaluates a request %s to %s', (_label, isOwn, change) => {
    expect(isServingRequest({ ...serving(), ...change() }, NODE)).toBe(isOwn);
  });
});
