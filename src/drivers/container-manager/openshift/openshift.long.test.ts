// Tests the driver with a real kube-apiserver and its signing controller. There is no OpenShift; the test impersonates
// the new hosts and nodes.

import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { containerManagerConforms } from '../../../../test/conformance/container-manager.ts';
import { certificateRequestPem } from '../../../../test/harness/certificates/certificate-request.ts';
import { driverMemory } from '../../../../test/harness/driver-contexts.ts';
import { toNodeName } from '../../../../test/harness/fake-kubernetes/kubernetes-fixtures.ts';
import {
  applyManifests,
  permissionsWithoutJoin,
  readAccountToken,
  readManifest,
} from '../../../../test/harness/kube-apiserver/documented-permissions.ts';
import type { KubeApiserver } from '../../../../test/harness/kube-apiserver/kube-apiserver.ts';
import { BUILD_MS, describeOnKubeApiserver } from '../../../../test/harness/kube-apiserver/kubernetes-programs.ts';
import { startKubeApiserver } from '../../../../test/harness/kube-apiserver/start-kube-apiserver.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { ConnectionPool } from '../../../integrations/http/connection-pool.ts';
import type { ContainerManager } from '../container-manager.ts';
import { CLIENT_SIGNER, SERVING_SIGNER } from './certificate-approval.ts';
import { openshift } from './openshift.ts';

const NODE = '127.0.0.1' as Address;
const HOST = { address: NODE, hostname: 'n1.example' };
const SUBJECT = '/O=system:nodes/CN=system:node:n1.example';
const BOOTSTRAPPER = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';
const NODES = '/api/v1/nodes';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };

describeOnKubeApiserver('OpenShift driver with a real kube-apiserver', () => {
  let server: KubeApiserver;
  /** Token of the service account from the guide. */
  let token: string;
  const connections = new ConnectionPool();

  async function send(method: string, target: string, body?: unknown, headers = {}): Promise<void> {
    const contentType = method === 'PATCH' ? MERGE_PATCH : {};
    const response = await server.request(target, { method, body, headers: { ...contentType, ...headers } });
    if (response.status >= 300) throw new Error(JSON.stringify(response));
  }

  beforeAll(async () => {
    server = await startKubeApiserver({ controllers: true });
    await applyManifests(server, permissionsWithoutJoin());
    token = await readAccountToken(server);
    await send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'bootstrapper' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'system:node-bootstrapper',
      },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: BOOTSTRAPPER }],
    });
  }, BUILD_MS);
  afterAll(async () => {
    await connections.close();
    await server?.stop();
  });

  function open(options: Readonly<Record<string, unknown>> = {}): ContainerManager {
    return openshift.open({
      options: { server_url: server.url, token, ca_path: server.caPath, ...options },
      memory: driverMemory(),
      connections,
      name: 'nodes',
      mayProceed: () => true,
    });
  }

  /** The node may exist already. */
  async function kubelet(name: string, address: string): Promise<void> {
    await server.request(NODES, { method: 'POST', body: { metadata: { name } } });
    const addresses = [{ type: 'InternalIP', address }];
    await send('PATCH', `${NODES}/${name}/status`, { status: { addresses } });
  }

  containerManagerConforms('openshift', {
    open: async () => {
      await send('DELETE', NODES);
      return open();
    },
    join: (_manager, address) => kubelet(toNodeName(address), address),
    cordonByHand: (_manager, address) =>
      send('PATCH', `${NODES}/${toNodeName(address)}`, { spec: { unschedulable: true } }),
  });

  async function signed(name: string): Promise<X509Certificate> {
    const pem = await waitUntil(`certificate of ${name}`, async () => {
      const { body } = await server.request(`${REQUESTS}/${name}`);
      return (body as { status?: { certificate?: string } }).status?.certificate;
    });
    return new X509Certificate(Buffer.from(pem, 'base64'));
  }

  test('has the required permissions and reports the missing ones for approval', async () => {
    expect((await open().checkConnection()).problems).toEqual([]);
    expect((await open({ join: true }).checkConnection()).problems).toEqual([
      expect.stringMatching(/denies permission to list certificatesigningrequests/),
    ]);
    await applyManifests(server, readManifest('openshift-approve.yaml'));
    await waitUntil('approval permission', async () => {
      const { problems } = await open({ join: true }).checkConnection();
      return problems.length === 0;
    });
  });

  test('approves the requests of a host in order until they are signed', async () => {
    await send('DELETE', NODES);
    const manager = open({ join: true });
    const requestCertificate = (
      name: string,
      signerName: string,
      usage: string,
      extensions: string[],
      headers: object,
    ) => {
      const pem = certificateRequestPem({ subject: SUBJECT, extensions, isPrintable: true });
      // Servers before 1.22 sign only requests with key encipherment.
      const usages = ['digital signature', 'key encipherment', usage];
      const spec = { signerName, usages, request: Buffer.from(pem).toString('base64') };
      return send('POST', REQUESTS, { metadata: { name }, spec }, headers);
    };
    const bootstrapper = { 'impersonate-user': BOOTSTRAPPER };
    await waitUntil('permission to request a certificate', async () =>
      requestCertificate('first', CLIENT_SIGNER, 'client auth', [], bootstrapper).then(
        () => true,
        () => false,
      ),
    );
    expect(await manager.register(HOST)).toMatch(/the first certificate is approved/);
    expect((await signed('first')).subject).toBe('O=system:nodes\nCN=system:node:n1.example');
    await kubelet('n1.example', NODE);
    expect(await manager.register(HOST)).toMatch(/its serving certificate/);
    const node = { 'impersonate-user': 'system:node:n1.example', 'impersonate-group': 'system:nodes' };
    const names = ['subjectAltName = DNS:n1.example,IP:127.0.0.1'];
    await requestCertificate('second', SERVING_SIGNER, 'server auth', names, node);
    expect(await manager.register(HOST)).toBeUndefined();
    expect((await signed('second')).subjectAltName).toBe('DNS:n1.example, IP Address:127.0.0.1');
  });
});
