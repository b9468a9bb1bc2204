import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { kubeletRequest } from '../certificates/certificate-request-pem.ts';
import { Caller } from './caller.ts';
import type { Fields } from './objects.ts';
import type { KubernetesServer } from './server.ts';
import { startKubernetes } from './server.ts';

export const NODES = '/api/v1/nodes';
export const PODS = '/api/v1/namespaces/default/pods';
export const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** What a kubelet sends that wants a certificate. */
export const requestOf = (name: string): Fields => ({
  metadata: { name },
  spec: {
    request: kubeletRequest(),
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['digital signature', 'client auth'],
  },
});

/** A server for all tests of a file, which is empty and well when each begins. */
export function serverLab() {
  let server: KubernetesServer;
  let admin: Caller;
  const callers: Caller[] = [];

  const callerWith = (fields: { token?: string; cert?: string; key?: string }): Caller => {
    const caller = new Caller({ url: server.url, ca: server.ca, ...fields });
    callers.push(caller);
    return caller;
  };

  const evict = (name: string) =>
    admin.ask('POST', `${PODS}/${name}/eviction`, {
      ...{ apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name } },
    });

  beforeAll(async () => {
    server = await startKubernetes();
  });
  beforeEach(() => {
    admin = callerWith({ token: server.adminToken });
  });
  afterEach(() => {
    server.mend();
    server.requests.length = 0;
    server.showCertificate('own');
    server.settings.termination = 'at once';
    for (const caller of callers.splice(0)) caller.close();
    for (const plural of ['pods', 'nodes', 'poddisruptionbudgets', 'certificatesigningrequests']) {
      for (const { metadata } of server.objects(plural))
        server.remove(plural, metadata.name, metadata.namespace);
    }
  });
  afterAll(() => server.close());

  return { server: () => server, admin: () => admin, callerWith, evict };
}
