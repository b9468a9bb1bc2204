import { describe, expect, test } from 'vitest';
import { certificateRequestPem } from '../../../../test/harness/certificates/certificate-request-pem.ts';
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

type Row = readonly [what: string, isOwn: boolean, change: () => Partial<CertificateRequest>];

/** What is wrong with either; `names` are those that the right one has. */
const otherRequests = (names?: string): readonly Row[] => [
  ['of another node', false, () => ({ pem: pem('/O=system:nodes/CN=system:node:n2.example', names) })],
  ['of the first label of its name', false, () => ({ pem: pem('/O=system:nodes/CN=system:node:n1', names) })],
  ['of a longer name', false, () => ({ pem: pem(`${SUBJECT}.org`, names) })],
  ['in capital letters', false, () => ({ pem: pem('/O=system:nodes/CN=system:node:N1.example', names) })],
  ['with two names', false, () => ({ pem: pem(`${SUBJECT}/CN=system:node:n2.example`, names) })],
  ['with its name twice', false, () => ({ pem: pem(`${SUBJECT}/CN=system:node:n1.example`, names) })],
  ['with another group', false, () => ({ pem: pem('/O=system:masters/CN=system:node:n1.example', names) })],
  ['with one more group', false, () => ({ pem: pem(`/O=system:masters${SUBJECT}`, names) })],
  ['without a group', false, () => ({ pem: pem('/CN=system:node:n1.example', names) })],
  ['that makes no sense', false, () => ({ pem: 'nonsense' })],
  ['that is decided', false, () => ({ isPending: false })],
  ['without usages', false, () => ({ usages: [] })],
  ['for both ends', false, () => ({ usages: ['digital signature', 'client auth', 'server auth'] })],
  ['for signing others', false, () => ({ usages: [...client().usages, 'cert sign'] })],
  ['for nothing but signatures', false, () => ({ usages: ['digital signature', 'digital signature'] })],
  ['by an administrator', false, () => ({ username: 'system:admin', groups: ['system:masters'] })],
];

describe('a request for the certificate that a node asks with', () => {
  test.each<Row>([
    ['as a kubelet makes it', true, () => ({})],
    ['with a key of RSA', true, () => ({ usages: ['key encipherment', ...client().usages] })],
    ...otherRequests(),
    ['that has names', false, () => ({ pem: pem(SUBJECT, 'DNS:n1.example') })],
    ['of another signer', false, () => ({ signerName: 'kubernetes.io/kube-apiserver-client' })],
    ['of the signer for servers', false, () => ({ signerName: SERVING_SIGNER })],
    ['to serve with', false, () => ({ usages: serving().usages })],
    ['by the node itself', false, () => ({ username: 'system:node:n1.example', groups: ['system:nodes'] })],
    [
      'by a namesake elsewhere',
      false,
      () => ({ username: 'system:serviceaccount:default:node-bootstrapper' }),
    ],
    ['by somebody in another group', false, () => ({ groups: ['system:authenticated'] })],
  ])('%s is that of its host: %s', (_what, isOwn, change) => {
    expect(isClientRequest({ ...client(), ...change() }, 'n1.example')).toBe(isOwn);
  });
});

describe('a request for the certificate that a node serves with', () => {
  test.each<Row>([
    ['as a kubelet makes it', true, () => ({})],
    ['with a key of RSA', true, () => ({ usages: ['key encipherment', ...serving().usages] })],
    ['without its name', true, () => ({ pem: pem(SUBJECT, 'IP:127.0.0.1,IP:::1') })],
    ...otherRequests(NAMES),
    ['with the name of another', false, () => ({ pem: pem(SUBJECT, `${NAMES},DNS:api.example`) })],
    ['with all names', false, () => ({ pem: pem(SUBJECT, NAMES.replace('n1', '*')) })],
    ['with the address of another', false, () => ({ pem: pem(SUBJECT, `${NAMES},IP:127.0.0.2`) })],
    ['with one of its addresses', false, () => ({ pem: pem(SUBJECT, 'DNS:n1.example,IP:127.0.0.1') })],
    ['without names', false, () => ({ pem: pem(SUBJECT) })],
    ['with an address of mail', false, () => ({ pem: pem(SUBJECT, `${NAMES},email:root@n1`) })],
    ['of another signer', false, () => ({ signerName: 'example.com/serving' })],
    ['to ask with', false, () => ({ usages: client().usages })],
    ['by another node', false, () => ({ username: 'system:node:n2.example' })],
    ['by somebody who calls himself so', false, () => ({ groups: ['system:authenticated'] })],
  ])('%s is that of its host: %s', (_what, isOwn, change) => {
    expect(isServingRequest({ ...serving(), ...change() }, NODE)).toBe(isOwn);
  });
});
