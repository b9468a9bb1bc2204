import { afterAll, beforeAll, describe } from 'vitest';
import { describeKubernetesApi } from './api-conformance.ts';
import type { KubernetesServer } from './server.ts';
import { startKubernetes } from './server.ts';

describe('fake Kubernetes API', () => {
  let server: KubernetesServer;

  beforeAll(async () => {
    server = await startKubernetes({ settings: { computesBudgets: false, taintsCordoned: false } });
  });
  afterAll(() => server.close());

  describeKubernetesApi('as Kubernetes 1.20', {
    endpoint: () => ({ url: server.url, ca: server.ca, token: server.adminToken }),
    policy: 'v1beta1',
  });
});
