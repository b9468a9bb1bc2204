import { readFileSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import type { KubeApiserver } from '../kube-apiserver/kube-apiserver.ts';
import { BUILD_MS, describeOnKubeApiserver } from '../kube-apiserver/kubernetes-programs.ts';
import { startKubeApiserver } from '../kube-apiserver/start-kube-apiserver.ts';
import { describeKubernetesApi } from './api-conformance.ts';

describeOnKubeApiserver('a real kube-apiserver', () => {
  let server: KubeApiserver;

  beforeAll(async () => {
    server = await startKubeApiserver();
  }, BUILD_MS);

  afterAll(() => server?.stop());

  describeKubernetesApi('kube-apiserver 1.20', {
    endpoint: () => ({ url: server.url, ca: readFileSync(server.caPath, 'utf8'), token: server.adminToken }),
    policy: 'v1beta1',
  });
});
