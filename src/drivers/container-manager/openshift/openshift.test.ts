import { describe, expect, test } from 'vitest';
import type { RequestOptions } from '../../../../test/harness/certificates/certificate-request-pem.ts';
import { certificateRequestPem } from '../../../../test/harness/certificates/certificate-request-pem.ts';
import { driverMemory } from '../../../../test/harness/driver-memory.ts';
import { kubeLab, kubeManagerLab } from '../../../../test/harness/pretend-kubernetes/kube-lab.ts';
import { fieldsAt, listAt, textAt } from '../../../../test/harness/pretend-kubernetes/objects.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { cordonMark } from '../../../domain/rolling/cordon-mark.ts';
import { containerManagerConforms } from '../conformance.ts';
import type { ContainerManager, ContainerManagerRecord } from '../container-manager.ts';
import { CLIENT_SIGNER, SERVING_SIGNER } from './kubelet-requests.ts';
import { openshift } from './openshift.ts';

const NODE = '127.0.0.1' as Address;
const OTHER = '127.0.0.2' as Address;
const HOST = { address: NODE, hostname: 'N1.example' };
const MARK = cordonMark('one', 1);
const REQUESTS = 'certificatesigningrequests';
const lab = kubeLab();

function open(given: ContainerManagerRecord = lab().record()): ContainerManager {
  return openshift.open(given);
}
const approver = () => open(lab().record({ join: true }));

containerManagerConforms('openshift', kubeManagerLab(lab, open));

test('OpenShift refuses to have an image deployed, and says why', () => {
  expect(openshift.refuses).toEqual({
    deploy: expect.stringContaining('manages the operating system of its nodes'),
  });
});

describe('a node of OpenShift', () => {
  const state = () => lab().server.object('nodes', 'n1.example');

  test('that is not adopted is none of ours', async () => {
    const manager = open();
    lab().server.kubelet('n1.example', { address: NODE });
    const before = state();
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
    expect(await manager.uncordon(NODE, MARK)).toBe('not_ours');
    await expect(manager.cordon(NODE, MARK)).rejects.toThrow(NODE);
    await expect(manager.drain(NODE, { force: true })).rejects.toThrow(NODE);
    await expect(manager.disruptionProblem(NODE)).rejects.toThrow(NODE);
    await manager.remove(NODE);
    expect(state()).toEqual(before);
  });

  test('is adopted and given back as it was, without a change on the host', async () => {
    const manager = open();
    lab().server.kubelet('n1.example', { address: NODE });
    const { resourceVersion: _, ...before } = state()?.metadata ?? {};
    expect(await manager.joinTask(HOST)).toBeNull();
    expect(await manager.register(HOST)).toBeUndefined();
    await manager.cordon(NODE, MARK);
    await manager.remove(NODE);
    expect(await manager.leaveTask(HOST)).toBeNull();
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
    expect(state()?.metadata).toMatchObject(before);
    expect(state()?.metadata.annotations).toBeUndefined();
    expect(fieldsAt(state(), 'spec')).toEqual({});
  });

  test('that people have cordoned is given back so', async () => {
    const manager = open();
    lab().server.kubelet('n1.example', { address: NODE, isUnschedulable: true });
    await manager.register(HOST);
    await manager.remove(NODE);
    expect(fieldsAt(state(), 'spec')).toMatchObject({ unschedulable: true });
  });

  test('is made by OpenShift and not from here', async () => {
    await ask('csr-1', 'client');
    expect(await open().register(HOST)).toMatch(
      /no node with the address 127.0.0.1: OpenShift creates its nodes/,
    );
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

/** A kubelet asks for a certificate. */
async function ask(name: string, kind: 'client' | 'serving', options: Partial<RequestOptions> = {}) {
  const { signerName, usages, username, groups, extensions } = KUBELET[kind];
  const request = certificateRequestPem({ subject: SUBJECT, extensions, ...options });
  await lab().make(`/apis/certificates.k8s.io/v1/${REQUESTS}`, {
    metadata: { name },
    spec: { signerName, usages, request: Buffer.from(request).toString('base64') },
  });
  lab().server.change(REQUESTS, name, object => {
    object['spec'] = { ...fieldsAt(object, 'spec'), username, groups };
  });
}

/** Which requests were approved, and which of them by us. */
const approved = () =>
  lab()
    .server.objects(REQUESTS)
    .filter(object => listAt(object, 'status', 'conditions').some(one => textAt(one, 'type') === 'Approved'))
    .map(({ metadata }) => metadata.name);

describe('the certificate requests of a host of OpenShift', () => {
  test('are approved one after the other until it is a node', async () => {
    const manager = approver();
    expect(await manager.register(HOST)).toMatch(
      /waiting for the kubelet to request a certificate as n1.example/,
    );
    await ask('csr-1', 'client');
    expect(await manager.register(HOST)).toMatch(/approved; waiting for the kubelet to register/);
    expect(await manager.register(HOST)).toMatch(/approved; waiting for the kubelet to register/);
    expect(approved()).toEqual(['csr-1']);
    expect(listAt(lab().server.object(REQUESTS, 'csr-1'), 'status', 'conditions')).toMatchObject([
      { reason: 'HostlerApprove', message: 'Host 127.0.0.1 joins a cluster managed by Hostler.' },
    ]);
    lab().server.kubelet('n1.example', { address: NODE });
    expect(await manager.register(HOST)).toMatch(
      /waiting for the kubelet to request its serving certificate/,
    );
    expect(await manager.report(NODE)).toEqual({ state: 'unknown' });
    await ask('csr-2', 'serving');
    expect(await manager.register(HOST)).toBeUndefined();
    expect(approved()).toEqual(['csr-1', 'csr-2']);
    expect(await manager.report(NODE)).toMatchObject({ state: 'registered', name: 'n1.example' });
  });

  test('are decided on by others too, which is not waited for', async () => {
    const manager = approver();
    await ask('csr-1', 'client');
    await manager.register(HOST);
    lab().server.kubelet('n1.example', { address: NODE });
    await ask('csr-2', 'serving');
    lab().server.change(REQUESTS, 'csr-2', object => {
      object['status'] = { conditions: [{ type: 'Approved', status: 'True' }] };
    });
    expect(await manager.register(HOST)).toBeUndefined();
  });

  test('are not waited for when its node was there before', async () => {
    lab().server.kubelet('n1.example', { address: NODE });
    expect(await approver().register(HOST)).toBeUndefined();
  });

  test.each(['client', 'serving'] as const)('are left to people when there are two, as %s', async kind => {
    if (kind === 'serving') lab().server.kubelet('n1.example', { address: NODE });
    await ask('csr-1', kind);
    await ask('csr-2', kind);
    expect(await approver().register(HOST)).toMatch(
      /^2 pending certificate requests .* manually: csr-1, csr-2$/,
    );
    expect(approved()).toEqual([]);
  });

  test('are not those of others, nor more than it may have', async () => {
    await ask('csr-1', 'client', { subject: '/O=system:nodes/CN=system:node:n2.example' });
    await ask('csr-2', 'client', { subject: `/O=system:masters${SUBJECT}` });
    expect(await approver().register(HOST)).toMatch(/waiting for the kubelet to request/);
    lab().server.kubelet('n1.example', { address: NODE });
    await ask('csr-3', 'serving', { extensions: ['subjectAltName = DNS:n1.example,IP:127.0.0.2'] });
    expect(await approver().register(HOST)).toBeUndefined();
    expect(approved()).toEqual([]);
  });

  test('are not approved for a name that is a node already', async () => {
    await ask('csr-1', 'client');
    lab().server.kubelet('n1.example', { address: OTHER });
    expect(await approver().register(HOST)).toMatch(
      /has a node n1.example with other addresses than 127.0.0.1/,
    );
    expect(approved()).toEqual([]);
  });

  test('are not approved for an address that another node has', async () => {
    const record = lab().record({ join: true });
    lab().server.kubelet('n1.example', { address: NODE });
    lab().server.change('nodes', 'n1.example', object => {
      const addresses = [NODE, OTHER].map(address => ({ type: 'InternalIP', address }));
      object['status'] = { ...fieldsAt(object, 'status'), addresses };
    });
    lab().server.kubelet('n2.example', { address: OTHER });
    await ask('csr-1', 'serving', {
      extensions: ['subjectAltName = DNS:n1.example,IP:127.0.0.1,IP:127.0.0.2'],
    });
    expect(await open(record).register(HOST)).toMatch(/shares an address with n2.example/);
    expect(approved()).toEqual([]);
  });

  test('are not looked for without a hostname', async () => {
    expect(await approver().register({ ...HOST, hostname: '' })).toMatch(/host name is unknown/);
  });

  test('that somebody decides on at the same moment are looked at again', async () => {
    await ask('csr-1', 'client');
    lab().server.before({ method: 'PUT' }, () => {
      lab().server.change(REQUESTS, 'csr-1', object => {
        object['status'] = { conditions: [{ type: 'Denied', status: 'True' }] };
      });
    });
    expect(await approver().register(HOST)).toMatch(/csr-1 was changed by another client/);
    expect(approved()).toEqual([]);
    expect(await approver().register(HOST)).toMatch(/waiting for the kubelet to request/);
  });

  test('take a right that is asked for in a check, where they are to be approved', async () => {
    lab().server.addToken('modest', {
      user: 'modest',
      rights: [{ verbs: ['*'], resources: ['nodes', 'pods', 'pods/eviction'] }],
    });
    const options = { token: 'modest', join: true };
    expect((await open(lab().record({ token: 'modest' })).check()).problems).toEqual([]);
    expect((await open(lab().record(options)).check()).problems).toEqual([
      expect.stringMatching(
        /denies permission to .*update certificatesigningrequests\/approval, approve signers kubernetes\.io\/kube-apiserver-client-kubelet, approve signers kubernetes\.io\/kubelet-serving$/,
      ),
    ]);
  });
});

test('OpenShift remembers from one start to the next which nodes it has adopted', async () => {
  const record = { ...lab().record(), memory: driverMemory() };
  lab().server.kubelet('n1.example', { address: NODE });
  await open(record).register(HOST);
  expect(await open(record).report(NODE)).toMatchObject({ state: 'registered' });
});
