import { afterAll, afterEach, beforeAll } from 'vitest';
import { Secret } from '../../../src/domain/secret.ts';
import type { ManagerFixture } from '../../../src/drivers/container-manager/conformance-fixture.ts';
import type {
  ContainerManager,
  ContainerManagerContext,
} from '../../../src/drivers/container-manager/container-manager.ts';
import { ConnectionPool } from '../../../src/integrations/http/connection-pool.ts';
import type { KubernetesClientOptions } from '../../../src/integrations/kubernetes/api-server.ts';
import type { KubernetesClient } from '../../../src/integrations/kubernetes/kubernetes-client.ts';
import { createKubernetesClient } from '../../../src/integrations/kubernetes/kubernetes-client.ts';
import { driverMemory } from '../driver-memory.ts';
import { Caller } from './caller.ts';
import type { Fields } from './objects.ts';
import type { KubernetesOptions, KubernetesServer } from './server.ts';
import { startKubernetes } from './server.ts';

/** A node has another name than its host, since it is not known by that. */
export const nodeNameOf = (address: string): string => `node-${address.replaceAll(/[.:]+/g, '-')}x`;

export interface KubeLab {
  readonly server: KubernetesServer;
  api(more?: Partial<KubernetesClientOptions>): KubernetesClient;
  record(options?: Readonly<Record<string, unknown>>): ContainerManagerContext;
  /** Makes an object through the API, as others would. */
  make(path: string, object: Fields): Promise<void>;
  /** What was asked since the test began, as in `GET /api/v1/nodes 200`. */
  asked(): readonly string[];
  /** As if nothing had ever been in it. */
  clear(): void;
}

const SWEPT = ['nodes', 'pods', 'secrets', 'poddisruptionbudgets', 'certificatesigningrequests'];

/** One server of the Kubernetes API for the tests of a file, empty for each of them. */
export function kubeLab(options: KubernetesOptions = {}): () => KubeLab {
  let started: KubernetesServer | undefined;
  let admin: Caller | undefined;
  let connections = new ConnectionPool();

  const running = (): KubernetesServer => {
    if (started === undefined) throw new Error('the server has not been started');
    return started;
  };
  const clear = () => {
    for (const plural of SWEPT)
      for (const { metadata } of running().objects(plural))
        running().remove(plural, metadata.name, metadata.namespace);
    running().requests.length = 0;
  };

  beforeAll(async () => {
    started = await startKubernetes(options);
    admin = new Caller({ url: started.url, ca: started.ca, token: started.adminToken });
  });
  afterEach(async () => {
    running().mend();
    running().showCertificate('own');
    running().settings.termination = 'at once';
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
    const server = running();
    return {
      server,
      api: more =>
        createKubernetesClient({
          url: server.url,
          token: new Secret(server.adminToken),
          files: { caPath: server.caPath },
          connections,
          ...more,
        }),
      record: more => ({
        name: 'nodes',
        options: { server_url: server.url, token: server.adminToken, ca_path: server.caPath, ...more },
        memory: driverMemory(),
        connections,
        mayProceed: () => true,
      }),
      async make(path, object) {
        const { code, text } = (await admin?.ask('POST', path, object)) ?? { code: 0, text: '' };
        if (code !== 201) throw new Error(text);
      },
      asked: () => server.requests.map(({ method, path, status }) => `${method} ${path} ${status}`),
      clear,
    };
  };
}

/** What the conformance suite of container managers needs of it. */
export function kubeManagerLab(
  lab: () => KubeLab,
  open: () => ContainerManager,
): ManagerFixture<ContainerManager> {
  return {
    open: () => {
      lab().clear();
      return open();
    },
    join: async (_manager, address) => lab().server.kubelet(nodeNameOf(address), { address }),
    cordonByHand: async (_manager, address) =>
      lab().server.kubelet(nodeNameOf(address), { address, isUnschedulable: true }),
  };
}
