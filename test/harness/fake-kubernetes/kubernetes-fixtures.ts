import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { Secret } from '../../../src/domain/secret.ts';
import type {
  ContainerManager,
  ContainerManagerContext,
} from '../../../src/drivers/container-manager/container-manager.ts';
import { ConnectionPool } from '../../../src/integrations/http/connection-pool.ts';
import type { KubernetesClientOptions } from '../../../src/integrations/kubernetes/api-server.ts';
import type { KubernetesClient } from '../../../src/integrations/kubernetes/kubernetes-client.ts';
import { createKubernetesClient } from '../../../src/integrations/kubernetes/kubernetes-client.ts';
import type { ManagerFixture } from '../../conformance/container-manager.ts';
import { kubeletRequest } from '../certificates/certificate-request.ts';
import { driverMemory } from '../driver-contexts.ts';
import { KubernetesTestClient } from './api-client.ts';
import type { Fields } from './objects.ts';
import type { KubernetesOptions, KubernetesServer } from './server.ts';
import { startKubernetes } from './server.ts';

/** Differs from the address of the host, so that code cannot confuse them. */
export const toNodeName = (address: string): string => `node-${address.replaceAll(/[.:]+/g, '-')}x`;

export interface KubernetesFixture {
  readonly server: KubernetesServer;
  createClient(more?: Partial<KubernetesClientOptions>): KubernetesClient;
  createContext(options?: Readonly<Record<string, unknown>>): ContainerManagerContext;
  /** Creates an object through the API. */
  create(path: string, object: Fields): Promise<void>;
  /** Requests since the start of the test, such as `GET /api/v1/nodes 200`. */
  requestLines(): readonly string[];
  /** Removes all objects and recorded requests. */
  clear(): void;
}

const CLEARED_RESOURCES = ['nodes', 'pods', 'secrets', 'poddisruptionbudgets', 'certificatesigningrequests'];

/** One server per test file, cleared after each test. */
export function kubernetesFixture(options: KubernetesOptions = {}): () => KubernetesFixture {
  let started: KubernetesServer | undefined;
  let admin: KubernetesTestClient | undefined;
  let connections = new ConnectionPool();

  const getServer = (): KubernetesServer => {
    if (started === undefined) throw new Error('the server has not been started');
    return started;
  };
  const clear = () => {
    for (const plural of CLEARED_RESOURCES)
      for (const { metadata } of getServer().objects(plural))
        getServer().remove(plural, metadata.name, metadata.namespace);
    getServer().requests.length = 0;
  };

  beforeAll(async () => {
    started = await startKubernetes(options);
    admin = new KubernetesTestClient({ url: started.url, ca: started.ca, token: started.adminToken });
  });
  afterEach(async () => {
    getServer().clearFaults();
    getServer().presentCertificate('own');
    getServer().settings.termination = 'at once';
    clear();
    await connections.close();
    connections = new ConnectionPool();
  });
  afterAll(async () => {
    await connections.close();
    admin?.close();
    await started?.close();
  });

  return () => {
    const server = getServer();
    return {
      server,
      createClient: more =>
        createKubernetesClient({
          url: server.url,
          token: new Secret(server.adminToken),
          files: { caPath: server.caPath },
          connections,
          ...more,
        }),
      createContext: more => ({
        name: 'nodes',
        options: { server_url: server.url, token: server.adminToken, ca_path: server.caPath, ...more },
        memory: driverMemory(),
        connections,
        mayProceed: () => true,
      }),
      async create(path, object) {
        const { code, text } = (await admin?.request('POST', path, object)) ?? { code: 0, text: '' };
        if (code !== 201) throw new Error(text);
      },
      requestLines: () => server.requests.map(({ method, path, status }) => `${method} ${path} ${status}`),
      clear,
    };
  };
}

/** Fixture for the conformance suite of container managers. */
export function kubernetesManagerFixture(
  fixture: () => KubernetesFixture,
  open: () => ContainerManager,
): ManagerFixture<ContainerManager> {
  return {
    open: () => {
      fixture().clear();
      return open();
    },
    join: async (_manager, address) => fixture().server.kubelet(toNodeName(address), { address }),
    cordonByHand: async (_manager, address) =>
      fixture().server.kubelet(toNodeName(address), { address, isUnschedulable: true }),
  };
}

export const NODES = '/api/v1/nodes';
export const PODS = '/api/v1/namespaces/default/pods';
export const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** The certificate request of a kubelet. */
export const certificateRequest = (name: string): Fields => ({
  metadata: { name },
  spec: {
    request: kubeletRequest(),
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['digital signature', 'client auth'],
  },
});

/** One server per test file, cleared after each test. */
export function serverFixture() {
  let server: KubernetesServer;
  let admin: KubernetesTestClient;
  const clients: KubernetesTestClient[] = [];

  const createClient = (fields: { token?: string; cert?: string; key?: string }): KubernetesTestClient => {
    const client = new KubernetesTestClient({ url: server.url, ca: server.ca, ...fields });
    clients.push(client);
    return client;
  };

  const evict = (name: string) =>
    admin.request('POST', `${PODS}/${name}/eviction`, {
      ...{ apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name } },
    });

  beforeAll(async () => {
    server = await startKubernetes();
  });
  beforeEach(() => {
    admin = createClient({ token: server.adminToken });
  });
  afterEach(() => {
    server.clearFaults();
    server.requests.length = 0;
    server.presentCertificate('own');
    server.settings.termination = 'at once';
    for (const client of clients.splice(0)) client.close();
    for (const plural of ['pods', 'nodes', 'poddisruptionbudgets', 'certificatesigningrequests']) {
      for (const { metadata } of server.objects(plural)) server.remove(plural, metadata.name, metadata.namespace);
    }
  });
  afterAll(() => server.close());

  return { server: () => server, admin: () => admin, createClient, evict };
}
