import { describe, expect, test } from 'vitest';
import { containerManagerConforms } from '../../../../test/conformance/container-manager.ts';
import type { CertificateRequestOptions } from '../../../../test/harness/certificates/certificate-request.ts';
import { certificateRequestPem } from '../../../../test/harness/certificates/certificate-request.ts';
import { driverMemory } from '../../../../test/harness/driver-contexts.ts';
import {
  kubernetesFixture,
  kubernetesManagerFixture,
} from '../../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import { fieldsAt, listAt, textAt } from '../../../../test/harness/fake-kubernetes/objects.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonOwner } from '../../../domain/rollout/operation-host.ts';
import type { ContainerManager, ContainerManagerContext } from '../container-manager.ts';
import { CLIENT_SIGNER, SERVING_SIGNER } from './certificate-approval.ts';
import { openshift } from './openshift.ts';

const NODE = '127.0.0.1' as Address;
const OTHER = '127.0.0.2' as Address;
const HOST = { address: NODE, hostname: 'N1.example' };
const OWNER = cordonOwner('op', 1);
const REQUESTS = 'certificatesigningrequests';
const fixture = kubernetesFixture();

function open(context: ContainerManagerContext = fixture().createContext()): ContainerManager {
  return openshift.open(context);
}
const approver = () => open(fixture().createContext({ join: true }));

containerManagerConforms('openshift', kubernetesManagerFixture(fixture, open));

test('OpenShift does not support the deploy operation and gives a reason', () => {
  expect(openshift.unsupportedOperations).toEqual({
    deploy: expect.stringContaining('manages the operating system of its nodes'),
  });
});

describe('OpenShift node', () => {
  const state = () => fixture().server.object('nodes', 'n1.example');

  test('is unknown and unchanged while it is not adopted', async () => {
    const manager = open();
    fixture().server.kubelet('n1.example', { address: NODE });
    const before = state();
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
    expect(await manager.uncordon(NODE, OWNER)).toBe('not_owner');
    await expect(manager.cordon(NODE, OWNER)).rejects.toThrow(NODE);
    await expect(manager.drain(NODE, { force: true })).rejects.toThrow(NODE);
    await expect(manager.checkDisruption(NODE)).rejects.toThrow(NODE);
    await manager.remove(NODE);
    expect(state()).toEqual(before);
  });

  test('is adopted and restored without commands on the host', async () => {
    const manager = open();
    fixture().server.kubelet('n1.example', { address: NODE });
    const { resourceVersion: _, ...before } = state()?.metadata ?? {};
    expect(await manager.joinPlan(HOST)).toBeNull();
    expect(await manager.register(HOST)).toBeUndefined();
    await manager.cordon(NODE, OWNER);
    await manager.remove(NODE);
    expect(await manager.leavePlan(HOST)).toBeNull();
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
    expect(state()?.metadata).toMatchObject(before);
    expect(state()?.metadata.annotations).toBeUndefined();
    expect(fieldsAt(state(), 'spec')).toEqual({});
  });

  test('keeps the cordon of others when its host leaves', async () => {
    const manager = open();
    fixture().server.kubelet('n1.example', { address: NODE, isUnschedulable: true });
    await manager.register(HOST);
    await manager.remove(NODE);
    expect(fieldsAt(state(), 'spec')).toMatchObject({ unschedulable: true });
  });

  test('is not created by Hostler if join is not set', async () => {
    await requestCertificate('csr-1', 'client');
    expect(await open().register(HOST)).toMatch(/no node with the address 127.0.0.1: OpenShift creates its nodes/);
    expect(approved()).toEqual([]);
  });
});

const SUBJECT = '/O=system:nodes/CN=system:node:n1.example';
const OPERATOR = 'openshift-machine-config-operator';

const KUBELET = {
  client: {
    signerName: CLIENT_SIGNER,
    usages: ['digital signature', 'client auth'],
    username: `system:serviceaccount:${OPERATOR}:node-bootstrapper`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${OPERATOR}`, 'system:authenticated'],
    extensions: [],
  },
  serving: {
    signerName: SERVING_SIGNER,
    usages: ['digital signature', 'server auth'],
    username: 'system:node:n1.example',
    groups: ['system:nodes', 'system:authenticated'],
    extensions: ['subjectAltName = DNS:n1.example,IP:127.0.0.1'],
  },
};

/** Creates the certificate request of a kubelet. */
async function requestCertificate(
  name: string,
  kind: 'client' | 'serving',
  options: Partial<CertificateRequestOptions> = {},
) {
  const { signerName, usages, username, groups, extensions } = KUBELET[kind];
  const request = certificateRequestPem({ subject: SUBJECT, extensions, ...options });
  await fixture().create(`/apis/certificates.k8s.io/v1/${REQUESTS}`, {
    metadata: { name },
    spec: { signerName, usages, request: Buffer.from(request).toString('base64') },
  });
  fixture().server.change(REQUESTS, name, object => {
    object['spec'] = { ...fieldsAt(object, 'spec'), username, groups };
  });
}

const approved = () =>
  fixture()
    .server.objects(REQUESTS)
    .filter(object =>
      listAt(object, 'status', 'conditions').some(condition => textAt(condition, 'type') === 'Approved'),
    )
    .map(({ metadata }) => metadata.name);

describe('OpenShift certificate requests', () => {
  test('are approved in order until the host is a node', async () => {
    const manager = approver();
    expect(await manager.register(HOST)).toMatch(/waiting for the kubelet to request a certificate as n1.example/);
    await requestCertificate('csr-1', 'client');
    expect(await manager.register(HOST)).toMatch(/approved; waiting for the kubelet to register/);
    expect(await manager.register(HOST)).toMatch(/approved; waiting for the kubelet to register/);
    expect(approved()).toEqual(['csr-1']);
    expect(listAt(fixture().server.object(REQUESTS, 'csr-1'), 'status', 'conditions')).toMatchObject([
      { reason: 'HostlerApprove', message: 'Host 127.0.0.1 joins a cluster managed by Hostler.' },
    ]);
    fixture().server.kubelet('n1.example', { address: NODE });
    expect(await manager.register(HOST)).toMatch(/waiting for the kubelet to request its serving certificate/);
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
    await requestCertificate('csr-2', 'serving');
    expect(await manager.register(HOST)).toBeUndefined();
    expect(approved()).toEqual(['csr-1', 'csr-2']);
    expect(await manager.report(NODE)).toMatchObject({ state: 'registered', name: 'n1.example' });
  });

  test('may be approved by others', async () => {
    const manager = approver();
    await requestCertificate('csr-1', 'client');
    await manager.register(HOST);
    fixture().server.kubelet('n1.example', { address: NODE });
    await requestCertificate('csr-2', 'serving');
    fixture().server.change(REQUESTS, 'csr-2', object => {
      object['status'] = { conditions: [{ type: 'Approved', status: 'True' }] };
    });
    expect(await manager.register(HOST)).toBeUndefined();
  });

  test('are not required for a node that exists already', async () => {
    fixture().server.kubelet('n1.example', { address: NODE });
    expect(await approver().register(HOST)).toBeUndefined();
  });

  test.each(['client', 'serving'] as const)('two requests of type %s are left to an administrator', async kind => {
    if (kind === 'serving') fixture().server.kubelet('n1.example', { address: NODE });
    await requestCertificate('csr-1', kind);
    await requestCertificate('csr-2', kind);
    expect(await approver().register(HOST)).toMatch(/^2 pending certificate requests .* manually: csr-1, csr-2$/);
    expect(approved()).toEqual([]);
  });

  test('are not approved for other nodes, groups or addresses', async () => {
    await requestCertificate('csr-1', 'client', { subject: '/O=system:nodes/CN=system:node:n2.example' });
    await requestCertificate('csr-2', 'client', { subject: `/O=system:masters${SUBJECT}` });
    expect(await approver().register(HOST)).toMatch(/waiting for the kubelet to request/);
    fixture().server.kubelet('n1.example', { address: NODE });
    await requestCertificate('csr-3', 'serving', {
      extensions: ['subjectAltName = DNS:n1.example,IP:127.0.0.2'],
    });
    expect(await approver().register(HOST)).toBeUndefined();
    expect(approved()).toEqual([]);
  });

  test('are not approved for the name of another node', async () => {
    await requestCertificate('csr-1', 'client');
    fixture().server.kubelet('n1.example', { address: OTHER });
    expect(await approver().register(HOST)).toMatch(/has a node n1.example with other addresses than 127.0.0.1/);
    expect(approved()).toEqual([]);
  });

  test('are not approved for an address of another node', async () => {
    const record = fixture().createContext({ join: true });
    fixture().server.kubelet('n1.example', { address: NODE });
    fixture().server.change('nodes', 'n1.example', object => {
      const addresses = [NODE, OTHER].map(address => ({ type: 'InternalIP', address }));
      object['status'] = { ...fieldsAt(object, 'status'), addresses };
    });
    fixture().server.kubelet('n2.example', { address: OTHER });
    await requestCertificate('csr-1', 'serving', {
      extensions: ['subjectAltName = DNS:n1.example,IP:127.0.0.1,IP:127.0.0.2'],
    });
    expect(await open(record).register(HOST)).toMatch(/shares an address with n2.example/);
    expect(approved()).toEqual([]);
  });

  test('are not approved for a host without a host name', async () => {
    expect(await approver().register({ ...HOST, hostname: '' })).toMatch(/host name is unknown/);
  });

  test('are checked again after a concurrent decision', async () => {
    await requestCertificate('csr-1', 'client');
    fixture().server.before({ method: 'PUT' }, () => {
      fixture().server.change(REQUESTS, 'csr-1', object => {
        object['status'] = { conditions: [{ type: 'Denied', status: 'True' }] };
      });
    });
    expect(await approver().register(HOST)).toMatch(/csr-1 was changed by another client/);
    expect(approved()).toEqual([]);
    expect(await approver().register(HOST)).toMatch(/waiting for the kubelet to request/);
  });

  test('require approval permissions in the connection check only if join is true', async () => {
    fixture().server.addToken('limited', {
      user: 'limited',
      permissions: [{ verbs: ['*'], resources: ['nodes', 'pods', 'pods/eviction'] }],
    });
    const options = { token: 'limited', join: true };
    expect((await open(fixture().createContext({ token: 'limited' })).checkConnection()).problems).toEqual([]);
    expect((await open(fixture().createContext(options)).checkConnection()).problems).toEqual([
      expect.stringMatching(
        /denies permission to .*update certificatesigningrequests\/approval, approve signers kubernetes\.io\/kube-apiserver-client-kubelet, approve signers kubernetes\.io\/kubelet-serving$/,
      ),
    ]);
  });
});

test('OpenShift keeps adopted nodes across restarts', async () => {
  const record = { ...fixture().createContext(), memory: driverMemory() };
  fixture().server.kubelet('n1.example', { address: NODE });
  await open(record).register(HOST);
  expect(await open(record).report(NODE)).toMatchObject({ state: 'registered' });
});
